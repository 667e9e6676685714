#include "core/stats/summary_rows.h"

#include "core/stats/summary_groups.h"

#include <algorithm>
#include <numeric>

namespace warpline {

void addSpreadColumns(std::vector<Column>& columns, std::string_view prefix, bool megabytes)
{
    const std::string start(prefix);
    const std::string unit = megabytes ? " (MB)" : " (ns)";
    const Unit real = megabytes ? Unit::Megabytes : Unit::NanosecondsReal;
    const Unit whole = megabytes ? Unit::Megabytes : Unit::Nanoseconds;
    columns.push_back({start + "Avg" + unit, real});
    columns.push_back({start + "Med" + unit, real});
    columns.push_back({start + "Min" + unit, whole});
    columns.push_back({start + "Max" + unit, whole});
    columns.push_back({start + "StdDev" + unit, real});
}

void addSpreadCells(std::vector<Cell>& row, const DurationSummary& summary)
{
    if (summary.count == 0) {
        row.resize(row.size() + 4);
        row.emplace_back(0.0);
        return;
    }
    row.emplace_back(summary.mean);
    row.emplace_back(summary.median);
    row.emplace_back(summary.min);
    row.emplace_back(summary.max);
    row.emplace_back(summary.deviation);
}

std::vector<std::uint32_t> orderByTotal(std::span<const double> total, std::span<const Labels> labels,
    std::span<const std::size_t> tieOrder, std::span<const std::uint64_t> counts, bool asFound)
{
    std::vector<std::uint32_t> order(total.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        if (total[a] != total[b])
            return total[a] > total[b];
        if (!counts.empty() && counts[a] != counts[b])
            return counts[a] < counts[b];
        if (asFound)
            return false;
        if (tieOrder.empty())
            return labels[a] < labels[b];
        for (const std::size_t label : tieOrder) {
            if (const int way = labels[a][label].compare(labels[b][label]); way != 0)
                return way < 0;
        }
        return false;
    });
    return order;
}

std::vector<SummaryGroup> summariesOf(Groups& groups)
{
    std::vector<SummaryGroup> summaries;
    for (std::size_t g = 0; g < groups.size(); ++g)
        summaries.push_back({groups.key(g), summarize(groups.values(g)), groups.events(g)});
    return summaries;
}

Cells summaryTable(
    Groups& groups, const SummaryLayout& layout, const std::function<Labels(std::uint64_t key)>& labelsOf)
{
    return summaryTable(summariesOf(groups), layout, labelsOf);
}

Cells summaryTable(const std::vector<SummaryGroup>& groups, const SummaryLayout& layout,
    const std::function<Labels(std::uint64_t key)>& labelsOf)
{
    Cells cells;
    cells.columns = {{"Time (%)", Unit::Percent}, {"Total Time (ns)", Unit::Nanoseconds},
        {layout.countTitle, Unit::Count}};
    addSpreadColumns(cells.columns, "");
    for (const std::string& title : layout.labelTitles)
        cells.columns.push_back({title, Unit::Text});

    std::vector<Labels> labels;
    std::vector<double> totals;
    std::vector<std::uint64_t> counts;
    double all = 0;
    for (const SummaryGroup& group : groups) {
        labels.push_back(labelsOf(group.key));
        totals.push_back(static_cast<double>(group.durations.total));
        all += totals.back();
        if (layout.fewerFirst)
            counts.push_back(group.durations.count);
    }
    for (const std::uint32_t g : orderByTotal(totals, labels, layout.tieOrder, counts, layout.asFound)) {
        const DurationSummary& summary = groups[g].durations;
        std::vector<Cell> row{
            all > 0 ? totals[g] * 100.0 / all : 0.0, summary.total, static_cast<std::int64_t>(summary.count)};
        addSpreadCells(row, summary);
        for (std::string& label : labels[g])
            row.emplace_back(std::move(label));
        cells.addRow(std::move(row), groups[g].events);
    }
    return cells;
}

} // namespace warpline
