#pragma once

#include "core/coverage/intervals.h"
#include "core/store/trace.h"

#include <stop_token>
#include <string>

namespace warpline {

/// What `thread` did in `parts`, as far as the report tells: by the program's NVTX ranges and calls of
/// communication libraries, else by CPU samples, else by calls of the operating system. Whole sentences:
/// "Its NVTX ranges in that time: init_model 642.2 ms, warmup 350.5 ms." Empty: the report does not say. Throws
/// Stopped when `stop` is requested.
std::string hostStory(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

} // namespace warpline
