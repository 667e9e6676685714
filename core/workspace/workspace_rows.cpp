#include "core/workspace/workspace_rows.h"

namespace warpline {

namespace {

Row headingOf(const OpenReport& report)
{
    Row heading;
    heading.key = "report:" + report.label;
    heading.label = report.label;
    heading.hint = report.trace->info.path;
    heading.report = report.id;
    heading.events = report.trace->eventCount();
    heading.expanded = true;
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
        const RowId heading = all->add(RowTree::root, headingOf(report));
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
