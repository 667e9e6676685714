#pragma once

#include "core/analysis/time_by_name.h"
#include "core/base/message.h"
#include "core/coverage/intervals.h"

#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Calls of communication libraries are named from this share of the time on.
inline constexpr double minHostShare = 0.1;

struct HostStory {
    Message text;
    bool namesDriver = false; ///< the call of the operating system that it names first is ioctl
};
/// What `thread` did in `parts`: by the program's NVTX ranges and calls of communication libraries; else by
/// CPU samples, or system calls where there are none; and by thread states and loaded shared libraries.
/// Empty: unknown. Throws Stopped when `stop` is requested.
HostStory hostStory(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// The time of `parts` in which neither `thread` nor another thread of its process is on a CPU, by thread
/// states. Empty where they were not recorded. Throws Stopped when `stop` is requested.
Intervals waitsOfProcess(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// How a program ends.
struct Ending {
    Ns time = 0; ///< after the last call and sample of its process, where that is most of the requested time
    Message text; ///< a sentence; empty where it is not
};
/// The part of `after`, whose last range extends to the end of the recording, in which the process of
/// `thread` only ends: no thread makes a call, is sampled or is in an NVTX range. Nothing without CPU
/// samples, or where `after` ends before the recording. Throws Stopped when `stop` is requested.
Ending ending(const Trace& trace, GlobalId thread, const Intervals& after, const std::stop_token& stop = {});

/// longestNamed() as a list for a message: "Allreduce 130 ms, Waitall 4.1 ms". `explain` adds the meaning of
/// a name in brackets: "futex 1.2 s (waits for a lock, or to be woken by another thread)".
std::vector<Message> longestTimes(const Trace& trace, const TimeByName& sums, std::size_t most,
    Message (*explain)(std::string_view) = nullptr);

/// Adds the time of `parts` to `sums` by the call of the operating system that `thread` was in.
void addOsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums);

/// The calls of the operating system that `thread` is in during `parts`, where that is three tenths of them;
/// else empty.
Message osCallsText(const Trace& trace, GlobalId thread, const Intervals& parts);

} // namespace warpline
