#include "core/stats/summary_rows.h"

#include <algorithm>

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

std::vector<SummaryGroup> summariesOf(Groups& groups)
{
    std::vector<SummaryGroup> summaries;
    for (std::size_t g = 0; g < groups.size(); ++g)
        summaries.push_back({groups.key(g), summarize(groups.values(g)), groups.events(g), groups.values(g)});
    return summaries;
}

std::vector<SummaryGroup*> inOrder(
    std::vector<SummaryGroup>& groups, const SummaryLayout& layout, const LabelsOf& labelsOf)
{
    std::vector<SummaryGroup*> order;
    for (SummaryGroup& group : groups) {
        group.labels = labelsOf(group.key);
        order.push_back(&group);
    }
    std::ranges::stable_sort(order, [&layout](const SummaryGroup* a, const SummaryGroup* b) {
        if (a->total() != b->total())
            return a->total() > b->total();
        if (layout.fewerFirst && a->durations.count != b->durations.count)
            return a->durations.count < b->durations.count;
        if (layout.asFound)
            return false;
        if (layout.tieOrder.empty())
            return a->labels < b->labels;
        for (const std::size_t label : layout.tieOrder) {
            if (const int way = a->labels[label].compare(b->labels[label]); way != 0)
                return way < 0;
        }
        return false;
    });
    return order;
}

double totalOf(const std::vector<SummaryGroup>& groups)
{
    double total = 0;
    for (const SummaryGroup& group : groups)
        total += group.total();
    return total;
}

Cells summaryTable(Groups& groups, const SummaryLayout& layout, const LabelsOf& labelsOf)
{
    return summaryTable(summariesOf(groups), layout, labelsOf);
}

Cells summaryTable(std::vector<SummaryGroup> groups, const SummaryLayout& layout, const LabelsOf& labelsOf)
{
    Cells cells;
    cells.columns = {{"Time (%)", Unit::Percent}, {"Total Time (ns)", Unit::Nanoseconds},
        {layout.countTitle, Unit::Count}};
    addSpreadColumns(cells.columns, "");
    for (const std::string& title : layout.labelTitles)
        cells.columns.push_back({title, Unit::Text});
    const double all = totalOf(groups);
    for (SummaryGroup* const group : inOrder(groups, layout, labelsOf)) {
        const DurationSummary& summary = group->durations;
        std::vector<Cell> row{all > 0 ? group->total() * 100.0 / all : 0.0, summary.total,
            static_cast<std::int64_t>(summary.count)};
        addSpreadCells(row, summary);
        for (std::string& label : group->labels)
            row.emplace_back(std::move(label));
        cells.addRow(std::move(row), group->events);
    }
    return cells;
}

} // namespace warpline
