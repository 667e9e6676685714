#pragma once

#include "core/across/across_report.h"

#include <cstdint>
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

} // namespace warpline
