#pragma once

#include "core/rocprof/rocm_events.h"

#include <stop_token>
#include <string_view>

namespace warpline {

/// Reads the output of rocprofv3 --output-format json; `text` is the whole file. Keeps the records before an
/// error or a truncation. False when the file was truncated. Throws Stopped. Source of the format:
/// rocprofiler-sdk's rocprofv3-schema.json and generateJSON.cpp.
bool readRocprofJson(std::string_view text, RocmEvents& events, const std::stop_token& stop);

} // namespace warpline
