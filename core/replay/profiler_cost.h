#pragma once

#include "core/replay/apply_cure.h"
#include "core/replay/cure.h"
#include "core/replay/replay_graph.h"

namespace warpline {

/// Recording overhead for the program. A launch without a profiler takes about 2.2 us of the host; the
/// typical excess over that is tracing inside the call, and about as much again comes around it, where
/// records are made. Tracing page faults of unified memory costs up to 70% of the faulting time (Nsight
/// Systems' documentation).
struct ProfilerCost {
    ExpectedTime call; ///< of a traced call of CUDA that starts work, on the host; 0: none to be seen
    bool pages = false; ///< pages of unified memory that move by themselves are traced
};

/// From the launches of `graph`, which is of `trace`. O(calls).
ProfilerCost profilerCostOf(const Trace& trace, const ReplayGraph& graph);

/// Takes `cost` out of `graph`, and the profiler's own work on the threads of the program that the report
/// has records of. Optimistic takes the most.
void removeProfilerCost(const Trace& trace, const ProfilerCost& cost, Estimate estimate, ReplayGraph& graph);

} // namespace warpline
