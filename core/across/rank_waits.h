#pragma once

#include "core/across/across_report.h"

#include <cstdint>
#include <vector>

namespace warpline {

class Trace;

/// What a rank waits while nothing computes, over the steps that are no warm-up.
struct ExposedWaits {
    Ns all = 0;
    std::vector<Ns> forRank; ///< by the rank that it waits for
    /// The rank that it waits for longest, where that is more than half of it; noIndex: they take turns.
    std::uint32_t mostFor() const;
};

/// Of the rank at place `rank`. `inKernels`: calls of MPI do not count. O(n) in the exchanges.
ExposedWaits exposedWaits(const AcrossReport& across, std::uint32_t rank, bool inKernels);

/// Gives `finding` another saving. What it adds to the others' and what falls to a step change by the same
/// part, and what a replay of its own report expects is cut at the new bound.
void setSaving(Finding& finding, Ns saving);

/// The place of the rank of `report` that `finding` is about; noIndex: of none, or of several.
std::uint32_t rankOfFinding(
    const AcrossReport& across, const Trace& trace, ReportId report, const Finding& finding);

} // namespace warpline
