#pragma once

#include "core/coverage/intervals.h"
#include "core/findings/host_activity.h"
#include "core/store/trace.h"

#include <stop_token>
#include <string>

namespace warpline {

/// What `thread` did in `parts`, as far as the report tells: by the program's NVTX ranges and calls of
/// communication libraries, else by CPU samples, else by calls of the operating system and thread states; and
/// by the shared libraries that it loads. Whole sentences:
/// "Its NVTX ranges in that time: init_model 642.2 ms, warmup 350.5 ms." Empty: the report does not say.
/// Throws Stopped when `stop` is requested.
std::string hostStory(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// Adds the time of `parts` to `sums` by the call of the operating system that `thread` was in.
void addOsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums);

/// "It is in calls of the operating system: clock_nanosleep 1.003 s.": of `thread` in `parts`, where that is
/// three tenths of them; else empty.
std::string osCallsText(const Trace& trace, GlobalId thread, const Intervals& parts);

} // namespace warpline
