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
/// What `thread` did in `parts`, as far as the report tells: by the program's NVTX ranges and calls of
/// communication libraries, else by CPU samples, or calls of the operating system where there are none, and
/// by thread states; and by the shared libraries that it loads. Empty: the report does not say. Throws
/// Stopped when `stop` is requested.
HostStory hostStory(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// The time of `parts` in which `thread` is on no CPU, by its thread states, and no other thread of its
/// process is on one either: nobody works. Empty where thread states were not recorded. Throws Stopped when
/// `stop` is requested.
Intervals waitsOfProcess(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// How a program ends.
struct Ending {
    Ns time
        = 0; ///< after the last call and sample of its process, where that is most of what was asked about
    Message text; ///< a sentence; empty where it is not
};
/// What of `after`, whose last part goes to the end of the recording, is no more than the end of the process
/// of `thread`: none of its threads makes a call, is sampled or is in an NVTX range. Nothing without CPU
/// samples, or where `after` ends before the recording does. Throws Stopped when `stop` is requested.
Ending ending(const Trace& trace, GlobalId thread, const Intervals& after, const std::stop_token& stop = {});

/// longestNamed() as a list for a message: "Allreduce 130 ms, Waitall 4.1 ms". `explain` says what a name
/// means, in brackets behind it: "futex 1.2 s (waits for a lock, or to be woken by another thread)".
std::vector<Message> longestTimes(const Trace& trace, const TimeByName& sums, std::size_t most,
    Message (*explain)(std::string_view) = nullptr);

/// Adds the time of `parts` to `sums` by the call of the operating system that `thread` was in.
void addOsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums);

/// The calls of the operating system that `thread` is in during `parts`, where that is three tenths of them;
/// else empty.
Message osCallsText(const Trace& trace, GlobalId thread, const Intervals& parts);

} // namespace warpline
