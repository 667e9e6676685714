#pragma once

#include "core/budget/gpu_budget.h"
#include "core/derive/call_kinds.h"
#include "core/overview/overview.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// What `threads`, each of a process of its own, do in `parts`, by what the report names: see nameByHost();
/// of several on average. Disjoint, at most the time of `parts` together, in the order of their first moment;
/// what takes next to nothing is left out. Throws Stopped when `stop` is requested.
std::vector<OverviewPhase> hostPhases(const Trace& trace, std::span<const GlobalId> threads,
    const Intervals& parts, const std::stop_token& stop = {});

/// "2 GPUs", or "4 processes" where several share one: whose budgets a mean is of.
Message usersOf(const Trace& trace, const GpuBudgets& budgets);

/// Why GPUs idle in `idle`, a part of their `life`: as phases, the longest first, at most the time of `idle`
/// together; of several GPUs, each of which has a reason of its own at a time, on average. What no work
/// follows, and what takes next to nothing, is left out. Throws Stopped when `stop` is requested.
std::vector<OverviewPhase> idlePhases(
    const GpuBudgets& budgets, TimeRange life, const OverviewPart& idle, const std::stop_token& stop = {});

/// Fills the phases of the parts of `overview` in which no GPU works. `threads` launch the first GPU work of
/// each process, the first of all first, or one is the program's mainThread(). Throws Stopped when `stop` is
/// requested.
void addPhases(RunOverview& overview, const Trace& trace, const GpuBudgets& budgets, const CallKinds& kinds,
    std::span<const GlobalId> threads, const std::stop_token& stop);

/// "Its main thread, in the order of time: reads files 23.44 ms (most between 42.00 ms and 128.0 ms); ...":
/// of a part. Empty: it has less than two phases.
Message phasesText(const OverviewPart& part, TimeRange window);

/// The thread that a program without GPU work is told by: the first of the process that most was recorded of,
/// or the one of it with most calls and ranges where nothing was recorded of that. 0: there is none.
/// O(tracks).
GlobalId mainThread(const Trace& trace);

} // namespace warpline
