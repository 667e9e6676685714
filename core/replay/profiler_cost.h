#pragma once

#include "core/replay/apply_cure.h"
#include "core/replay/cure.h"
#include "core/replay/replay_graph.h"

namespace warpline {

/// What recording costs the program that is recorded. A launch without a profiler takes about 2.2 us of the
/// host; what the usual one takes more is tracing inside of the call, and as much again, give or take, comes
/// around it, where the records are made. Tracing the faults of unified memory costs up to 70% of the time
/// of what faults (Nsight Systems' documentation).
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
