#pragma once

#include "core/across/across_report.h"

#include <span>
#include <vector>

namespace warpline {

class Trace;

/// Whether `across` names one rank that the others wait for, with steps to judge it by: what an early rank
/// saves by itself is no gain then.
bool hasLateRank(const AcrossReport& across);

/// Bounds what findings of a rank that waits for the late one could save: a step ends when the late rank is
/// there, so that the run gains by a rule what the late rank gains by it, `ofLate` being its findings; the
/// rest only lengthens the wait, as they say then. Findings about the waiting itself stay. `findings` are of
/// `report` over `window`, and ranked anew.
void boundByLateRank(std::vector<Finding>& findings, const Trace& trace, TimeRange window, ReportId report,
    const AcrossReport& across, std::span<const Finding> ofLate);

/// Whether `finding` of `report` has the cause of the verdict: what the late rank does in the part that makes
/// it late, or that another one waits for it.
bool hasCauseOfVerdict(
    const Finding& finding, const Trace& trace, ReportId report, const AcrossReport& across);

} // namespace warpline
