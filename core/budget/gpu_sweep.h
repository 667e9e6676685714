#pragma once

#include "core/budget/budget_parts.h"
#include "core/coverage/gpu_times.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// What kernels of a trace are, each name looked at once.
struct TraceClasses {
    TraceClasses(const Trace& trace, const KernelClassRules& rules);

    std::vector<std::uint8_t> ofName; ///< by StringId: index of the class; 0 for what is no kernel's name
    std::size_t communication = 0; ///< index of that class
    std::size_t graph = 0; ///< index of the class of graphs traced as a whole
    bool anyCommunication = false; ///< the trace has kernels that communicate
};

/// A part of the time of a GPU as one process uses it, cut where what it does changes. Parts follow one
/// another.
struct GpuSweep {
    static constexpr std::uint16_t idle = 0xFFFF;

    std::vector<Ns> start; ///< of each stretch, ascending; it lasts until the next one starts
    Ns end = 0; ///< of the last stretch
    bool isLast = false; ///< nothing follows
    std::vector<std::uint16_t> part; ///< index into BudgetParts, or `idle`
    /// For each idle stretch the API call that launched the work which ends it, or the first after that whose
    /// call is known; noIndex: none.
    std::vector<EventIndex> nextCall;
    EventIndex lastCall = noIndex; ///< that launched the last work whose call is known; noIndex: none is
};

/// Where the communication kernels of a GPU wait for others, by start.
using Waits = std::vector<TimeRange>;

/// Sweeps over all work of `gpu`. At each moment the first that applies counts: kernels that wait for pages
/// of unified memory; kernels by class, in the order of the classes; communication that waits; communication;
/// copies; sets; pages that move; else the GPU idles. The last stretch lasts to the end of `session`. Hands
/// over to `take` what is found as it goes: a list of all would be millions of stretches. O(n log lanes).
/// Throws Stopped when `stop` is requested.
void sweepGpu(const Trace& trace, GpuOfProcess gpu, TimeRange session, const BudgetParts& parts,
    const TraceClasses& classes, const Waits& waits, const std::function<void(const GpuSweep&)>& take,
    const std::stop_token& stop = {});

} // namespace warpline
