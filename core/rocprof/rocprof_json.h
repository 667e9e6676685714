#pragma once

#include "core/rocprof/rocm_events.h"

#include <stop_token>
#include <string_view>

namespace warpline {

/// Reads what rocprofv3 --output-format json writes: `text` is all of the file. Records before a fault, or
/// the end of a file that was cut off, are kept. False when it was cut off. Throws Stopped.
/// Source of the format: rocprofiler-sdk's rocprofv3-schema.json and generateJSON.cpp.
bool readRocprofJson(std::string_view text, RocmEvents& events, const std::stop_token& stop);

} // namespace warpline
