#pragma once

#include "core/coverage/intervals.h"
#include "core/findings/gpu_facts.h"
#include "core/store/trace.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// What goes with a call that waits or copies, at most: the code of a framework around it, and the next
/// launch, which finds an empty queue and so shows in full.
inline constexpr Ns aroundCall = 50'000;

/// A call that keeps a thread from launching.
struct HostDelay {
    TimeRange call;
    Ns ahead = 0; ///< how much earlier the thread goes on without the call; 0: the call stays
    bool waits = false; ///< for the GPU: what the thread was ahead until then is lost in it
};

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
