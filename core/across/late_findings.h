#pragma once

#include "core/across/across_report.h"

#include <cstdint>
#include <span>
#include <vector>

namespace warpline {

class Trace;

/// The time that a rank waits while nothing computes, over the steps without warm-up.
struct ExposedWaits {
    Ns all = 0;
    std::vector<Ns> forRank; ///< by the rank that it waits for
    /// The rank with more than half of the waits; noIndex: there is none.
    std::uint32_t mostFor() const;
};

/// The waits of the rank at index `rank`. `inKernels`: without calls of MPI. O(n) in the exchanges.
ExposedWaits exposedWaits(const AcrossReport& across, std::uint32_t rank, bool inKernels);

/// Changes the saving of `finding`. Its added and per-step savings scale with it, and the replay's estimate
/// is capped at it.
void setSaving(Finding& finding, Ns saving);

/// The place of the rank of `report` that `finding` is about; noIndex: of none, or of several.
std::uint32_t rankOfFinding(
    const AcrossReport& across, const Trace& trace, ReportId report, const Finding& finding);

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
