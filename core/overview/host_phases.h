#pragma once

#include "core/budget/gpu_budget.h"
#include "core/derive/call_kinds.h"
#include "core/overview/overview.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// "2 GPUs", or "4 processes" where several share one: the owners of the budgets that a mean covers.
Message usersOf(const Trace& trace, const GpuBudgets& budgets);

/// Fills the phases of the parts of `overview` in which no GPU works. `threads` launch the first GPU work of
/// each process, the earliest first; or hold only mainThread(). Throws Stopped when `stop` is requested.
void addPhases(RunOverview& overview, const Trace& trace, const GpuBudgets& budgets, const CallKinds& kinds,
    std::span<const GlobalId> threads, const std::stop_token& stop);

/// "Its main thread, in the order of time: reads files 23.44 ms (most between 42.00 ms and 128.0 ms); ...":
/// of a part. Empty: it has less than two phases.
Message phasesText(const OverviewPart& part, TimeRange window);

/// The thread that represents a program without GPU work: the main thread of the process with most events, or
/// its thread with most events where nothing was recorded of the main one. 0: there is none. O(tracks).
GlobalId mainThread(const Trace& trace);

} // namespace warpline
