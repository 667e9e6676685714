#pragma once

#include "core/store/trace_builder.h"

#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

/// Completes a trace of any format: joins API calls and GPU work by correlation id, projects NVTX ranges onto
/// the GPU, derives the threads on each core from thread states, and adds unnamed processes with events. Sets
/// ReportInfo::path to `path`; adds events beyond the store's limits to the problems. Throws Stopped when
/// `stop` is requested.
std::shared_ptr<const Trace> completeTrace(
    TraceBuilder& trace, const std::string& path, const std::stop_token& stop = {});

} // namespace warpline
