#pragma once

#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"
#include "core/store/trace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// What `thread` does in `parts`, by what the report names: calls of MPI and its like, the program's own NVTX
/// ranges (the outermost, or those inside where one covers nearly all), parallel algorithms and OpenMP's
/// regions, files, and what it waits in. Disjoint, at most the time of `parts` together, in the order of
/// their first moment; what takes next to nothing is left out. Throws Stopped when `stop` is requested.
std::vector<OverviewPhase> hostPhases(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop = {});

/// Why a GPU idles in `idle`, a part of its `life`: as phases, the longest first, at most the time of `idle`
/// together. What no work follows, and what takes next to nothing, is left out.
std::vector<OverviewPhase> idlePhases(
    const BudgetParts& parts, const GpuBudget& gpu, TimeRange life, const OverviewPart& idle);

/// Fills the phases of the parts of `overview` in which no GPU works. `thread` launches the first GPU work,
/// or is the program's mainThread(). Idle time is told where one process uses one GPU. Throws Stopped when
/// `stop` is requested.
void addPhases(RunOverview& overview, const Trace& trace, const GpuBudgets& budgets, GlobalId thread,
    const std::stop_token& stop);

/// "Its main thread, in the order of time: reads files 23.44 ms (most between 42.00 ms and 128.0 ms); ...":
/// of a part. Empty: it has less than two phases.
std::string phasesText(const OverviewPart& part, TimeRange window);

/// The thread that a program without GPU work is told by: the first of the process that most was recorded of,
/// or the one of it with most calls and ranges where nothing was recorded of that. 0: there is none.
/// O(tracks).
GlobalId mainThread(const Trace& trace);

} // namespace warpline
