#pragma once

#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"

#include <cstdint>
#include <functional>
#include <span>
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

/// One row of a summary table, with its statistics.
struct SummaryGroup {
    std::uint64_t key = 0;
    DurationSummary durations;
    std::span<const EventRef> events{}; ///< empty when they are not stored
    std::span<std::int64_t> values{}; ///< empty: they are not known
    Labels labels{}; ///< see inOrder()

    double total() const { return static_cast<double>(durations.total); }
};
using LabelsOf = std::function<Labels(std::uint64_t key)>;

/// Summarizes the values of each group; call finish() before.
std::vector<SummaryGroup> summariesOf(Groups& groups);
/// Labels `groups` and lists them with the longest total first, ties as `layout` has them.
std::vector<SummaryGroup*> inOrder(
    std::vector<SummaryGroup>& groups, const SummaryLayout& layout, const LabelsOf& labelsOf);
double totalOf(const std::vector<SummaryGroup>& groups);

/// The table most summaries are: share of the total time, total, count, mean, median, least, most, deviation,
/// and labels. One row a group; longest total first.
Cells summaryTable(Groups& groups, const SummaryLayout& layout, const LabelsOf& labelsOf);
/// The same of groups with known statistics.
Cells summaryTable(std::vector<SummaryGroup> groups, const SummaryLayout& layout, const LabelsOf& labelsOf);

/// Titles `prefix`Avg, Med, Min, Max, StdDev with `unit`: "TAvg (ns)" ...
void addSpreadColumns(std::vector<Column>& columns, std::string_view prefix, bool megabytes = false);
/// Cells for the columns of addSpreadColumns(), in ns. No values: empty cells, and a deviation of 0.
void addSpreadCells(std::vector<Cell>& row, const DurationSummary& summary);

} // namespace warpline
