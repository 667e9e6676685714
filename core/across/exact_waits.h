#pragma once

#include "core/across/across_report.h"
#include "core/budget/gpu_budget.h"
#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// Improves `findings` of report `report` with `across`. A single report only shows that a rank waits at
/// least as long as its collectives take beyond its own fastest one. Findings about waiting in collectives,
/// and about exposed communication, get the exact values over the steps without warm-up; their saving is at
/// most what the cause of the late rank explains. Other findings stay: see boundByLateRank(). Findings of
/// ranks that `across` does not analyze stay as they are. `window` is the window of the findings, which are
/// ranked again.
std::vector<Finding> withExactWaits(std::vector<Finding> findings, const Trace& trace, TimeRange window,
    const AcrossReport& across, ReportId report);

/// The time in which communication kernels of `report` wait for other ranks, for budgets: of every GPU on
/// which an analyzed rank communicates. Empty: there is none.
KnownWaits exactWaitRanges(const Trace& trace, const AcrossReport& across, ReportId report);

} // namespace warpline
