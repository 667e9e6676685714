#pragma once

#include "core/analysis/gpu_facts.h"
#include "core/coverage/intervals.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// A call that keeps a thread from launching.
struct HostDelay {
    TimeRange call;
    Ns ahead = 0; ///< how much earlier the thread goes on without the call; 0: the call stays
    bool waits = false; ///< for the GPU: where that works, what the thread was ahead until then is lost in it
};

/// API call `call` as one that goes, with the thread's own code right before and behind it: a framework's,
/// for the most part, and up to 50 us of it. O(lanes of the thread).
HostDelay withCodeAround(const Trace& trace, EventIndex call, bool waits = false);

/// The idle time of a GPU that goes when calls go: a thread that is ahead by so much launches so much
/// earlier, until the gaps behind have used it up or the thread waits. Never more than the GPU idles, nor
/// than the calls delay. `delays` are in order of time. `gone` (Links::pack(), sorted) is work that goes with
/// the calls, so that the gaps around it are one. O(work + delays). Throws Stopped.
Intervals idleBecauseOf(const Trace& trace, const GpuFacts& gpu, std::span<const HostDelay> delays,
    std::span<const std::uint32_t> gone, const std::stop_token& stop);

/// The same for several GPUs of a process: of the one that loses most.
Intervals idleBecauseOf(const Trace& trace, const std::vector<const GpuFacts*>& gpus,
    std::span<const HostDelay> delays, const std::stop_token& stop, std::vector<std::uint32_t> gone = {});

} // namespace warpline
