#pragma once

#include "core/across/across_report.h"
#include "core/budget/gpu_budget.h"
#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// `findings` of report `report` alone, with what `across` knows better: a report by itself can only say that
/// a rank waits at least as long as its collectives take beyond its own fastest. Findings about waiting in
/// collectives, and about communication that nothing hides, get the exact figures, over the steps that are no
/// warm-up, and save no more than the cause of the late rank explains; all others stay: see
/// boundByLateRank(). Ranks that `across` does not judge keep what they have. `window` is what the findings
/// are of: they are ranked anew.
std::vector<Finding> withExactWaits(std::vector<Finding> findings, const Trace& trace, TimeRange window,
    const AcrossReport& across, ReportId report);

/// Where the kernels of `report` that communicate wait for others, as `across` knows it, for budgets: of
/// every GPU that a judged rank of the report communicates on. Empty: none is judged.
KnownWaits exactWaitRanges(const Trace& trace, const AcrossReport& across, ReportId report);

} // namespace warpline
