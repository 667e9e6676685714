#pragma once

#include "core/budget/budget_parts.h"
#include "core/coverage/gpu_times.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Classes of the kernels of a trace; each name is classified once.
struct TraceClasses {
    TraceClasses(const Trace& trace, const KernelClassRules& rules);

    std::vector<std::uint8_t> ofName; ///< by StringId: index of the class; 0 for other strings
    std::size_t communication = 0; ///< index of that class
    std::size_t graph = 0; ///< index of the class of graphs traced as a whole
    bool anyCommunication = false; ///< the trace has kernels that communicate
};

/// A piece of the time of a GPU for one process, with constant activity. Pieces are contiguous.
struct GpuSweep {
    static constexpr std::uint16_t idle = 0xFFFF;

    std::vector<Ns> start; ///< of each stretch, ascending; it lasts until the next one starts
    Ns end = 0; ///< of the last stretch
    bool isLast = false; ///< nothing follows
    std::vector<std::uint16_t> part; ///< index into BudgetParts, or `idle`
    /// For each idle gap the API call that launched the work after it, or the first later work with a known
    /// call; noIndex: none.
    std::vector<EventIndex> nextCall;
    EventIndex lastCall = noIndex; ///< launched the last work with a known call; noIndex: none
    /// When the last work starts that a call launched, known or not; so not pages that migrate on a fault.
    Ns lastLaunched = std::numeric_limits<Ns>::min();
};

/// Where the communication kernels of a GPU wait for others, by start.
using Waits = std::vector<TimeRange>;

/// Sweeps over all work of `gpu`. At each moment the first that applies counts: kernels that wait for pages
/// of unified memory (`pageWaits` is waitsBetweenPages()); kernels by class, in the order of the classes;
/// communication that waits; communication; copies; memsets; page migrations; else idle. The last piece ends
/// with `session`. Passes pieces to `take` one by one, because a list could hold millions. O(n log lanes).
/// Throws Stopped when `stop` is requested.
void sweepGpu(const Trace& trace, GpuOfProcess gpu, TimeRange session, const BudgetParts& parts,
    const TraceClasses& classes, const Waits& waits, const Intervals& pageWaits,
    const std::function<void(const GpuSweep&)>& take, const std::stop_token& stop = {});

} // namespace warpline
