#include "core/workspace/workspace_rows.h"

namespace warpline {

namespace {

constexpr std::size_t fewReports = 2;

Row headingOf(const OpenReport& report, bool isFew)
{
    Row heading;
    heading.key = "report:" + report.label;
    heading.label = report.label;
    heading.hint = report.trace->info.path;
    heading.report = report.id;
    heading.events = report.trace->eventCount();
    // Of many reports the first is shown in full; a folded heading still shows when the others are busy.
    heading.expanded = isFew || report.id == ReportId{};
    return heading;
}

} // namespace

std::shared_ptr<const RowTree> joinRows(
    std::span<const OpenReport> reports, std::vector<std::uint32_t>& firstRow)
{
    auto all = std::make_shared<RowTree>();
    firstRow.clear();
    for (const OpenReport& report : reports) {
        const RowTree& own = *report.rows;
        const RowId heading = all->add(RowTree::root, headingOf(report, reports.size() <= fewReports));
        firstRow.push_back(raw(heading));
        const std::string prefix = all->row(heading).key + '/';
        // A tree holds parents before their children, and children in the order in which they came.
        for (std::uint32_t i = 1; i < own.size(); ++i) {
            Row row = own.row(RowId{i});
            row.report = report.id;
            row.key.insert(0, prefix);
            const RowId parent{raw(heading) + raw(row.parent)};
            all->add(parent, std::move(row));
        }
    }
    return all;
}

} // namespace warpline
