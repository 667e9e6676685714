#pragma once

#include "core/store/trace_builder.h"

#include <memory>
#include <stop_token>
#include <string>

namespace warpline {

/// Makes a trace of all that was read, whatever the format: joins API calls and GPU work by their correlation
/// ids, projects NVTX ranges onto the GPU, turns thread states into what ran on each core, and lists the
/// processes that own events without being named. ReportInfo::path becomes `path`; what limits of the store
/// left out joins the problems. Throws Stopped when `stop` is requested.
std::shared_ptr<const Trace> completeTrace(
    TraceBuilder& trace, const std::string& path, const std::stop_token& stop = {});

} // namespace warpline
