#pragma once

#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The text cells of a summary row.
using Labels = std::vector<std::string>;

/// How the rows of a summary table look.
struct SummaryLayout {
    std::string countTitle; ///< "Instances", "Num Calls", "Count"
    std::vector<std::string> labelTitles; ///< columns after the statistics
    /// Labels in the order in which they break ties of equal totals, bytewise; empty: as shown.
    std::vector<std::size_t> tieOrder;
    /// Ties in total: rows with fewer events come first, then by label.
    bool fewerFirst = false;
    bool asFound = false; ///< equal totals keep the order in which their first events were added
};

/// The table most summaries are: share of the total time, total, count, mean, median, least, most, deviation,
/// and labels. One row a group; longest total first.
Cells summaryTable(
    Groups& groups, const SummaryLayout& layout, const std::function<Labels(std::uint64_t key)>& labelsOf);

/// Titles `prefix`Avg, Med, Min, Max, StdDev with `unit`: "TAvg (ns)" ...
void addSpreadColumns(std::vector<Column>& columns, std::string_view prefix, bool megabytes = false);
/// Cells for the columns of addSpreadColumns(), in ns. No values: empty cells, and a deviation of 0.
void addSpreadCells(std::vector<Cell>& row, const DurationSummary& summary);

/// The order of groups by `total`, largest first, ties by `counts` where given, smallest first, then by
/// `labels` in `tieOrder`, or as they stand where `asFound`.
std::vector<std::uint32_t> orderByTotal(std::span<const double> total, std::span<const Labels> labels,
    std::span<const std::size_t> tieOrder, std::span<const std::uint64_t> counts = {}, bool asFound = false);

} // namespace warpline
