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
    Ns ahead = 0; ///< how much earlier the thread continues without the call (ns); 0: the call stays
    bool waits = false; ///< it waits for the GPU: where the GPU works, the thread loses its lead
};

/// The removal of API call `call`, with the thread's own code right before and after it, mostly a
/// framework's, up to 50 us. O(lanes of the thread).
HostDelay withCodeAround(const Trace& trace, EventIndex call, bool waits = false);

/// The idle time of a GPU that removing calls saves: the thread launches earlier by its lead, until gaps use
/// it up or the thread waits. At most the GPU's idle time and the calls' delay. `delays` are in order of
/// time. `gone` (Links::pack(), sorted) is work that is removed with the calls, so that the gaps around it
/// join. O(work + delays). Throws Stopped.
Intervals idleBecauseOf(const Trace& trace, const GpuFacts& gpu, std::span<const HostDelay> delays,
    std::span<const std::uint32_t> gone, const std::stop_token& stop);

/// The same for several GPUs of a process: of the one that loses most.
Intervals idleBecauseOf(const Trace& trace, const std::vector<const GpuFacts*>& gpus,
    std::span<const HostDelay> delays, const std::stop_token& stop, std::vector<std::uint32_t> gone = {});

} // namespace warpline
