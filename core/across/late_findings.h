#pragma once

#include "core/across/across_report.h"

#include <span>
#include <vector>

namespace warpline {

class Trace;

/// Whether `across` names one late rank, with steps: then the savings of an early rank alone do not shorten
/// the run.
bool hasLateRank(const AcrossReport& across);

/// Bounds the savings of findings on a rank that waits for the late one. A step ends when the late rank
/// arrives, so the run saves with a rule only what the late rank saves with it (`ofLate`: its findings); more
/// only lengthens the wait, which the findings then explain. Findings about the waiting itself stay.
/// `findings` are of `report` over `window`, and are ranked again.
void boundByLateRank(std::vector<Finding>& findings, const Trace& trace, TimeRange window, ReportId report,
    const AcrossReport& across, std::span<const Finding> ofLate);

/// Whether `finding` of `report` has the verdict's cause: the late rank's part that makes it late, or another
/// rank's wait for it.
bool hasCauseOfVerdict(
    const Finding& finding, const Trace& trace, ReportId report, const AcrossReport& across);

} // namespace warpline
