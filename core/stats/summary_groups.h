#pragma once

#include "core/stats/summary_rows.h"

#include <span>
#include <vector>

namespace warpline {

/// One row of a summary table, with its statistics.
struct SummaryGroup {
    std::uint64_t key = 0;
    DurationSummary durations;
    std::span<const EventRef> events; ///< empty when they are not stored
};

/// Summarizes the values of each group; call finish() before.
std::vector<SummaryGroup> summariesOf(Groups& groups);

/// summaryTable() of groups with known statistics.
Cells summaryTable(const std::vector<SummaryGroup>& groups, const SummaryLayout& layout,
    const std::function<Labels(std::uint64_t key)>& labelsOf);

} // namespace warpline
