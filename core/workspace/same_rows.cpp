#include "core/workspace/same_rows.h"

#include <algorithm>
#include <string>

namespace warpline {

namespace {

/// The last part of a row's key without numbers: "thread:3406" -> "thread:#".
std::string kindOf(const Row& row)
{
    std::string kind;
    for (const char c : std::string_view(row.key).substr(row.key.rfind('/') + 1)) {
        const bool isDigit = c >= '0' && c <= '9';
        if (isDigit && !kind.empty() && kind.back() == '#')
            continue;
        kind += isDigit ? '#' : c;
    }
    return kind;
}

/// The children of `parent` that are of the kind of `like`, in order.
std::vector<RowId> childrenLike(const RowTree& rows, RowId parent, const Row& like)
{
    const std::string kind = kindOf(like);
    std::vector<RowId> alike;
    for (const RowId child : rows.children(parent)) {
        if (kindOf(rows.row(child)) == kind)
            alike.push_back(child);
    }
    return alike;
}

/// The child of `parent` that corresponds to `row` among its siblings; root when there is none.
RowId childLike(const RowTree& own, RowId row, const RowTree& other, RowId parent)
{
    const Row& like = own.row(row);
    const std::vector<RowId> siblings = childrenLike(own, like.parent, like);
    const std::vector<RowId> candidates = childrenLike(other, parent, like);
    // A thread that bears the same name is meant wherever it stands.
    const auto named
        = std::ranges::find(candidates, like.label, [&](RowId each) { return other.row(each).label; });
    if (named != candidates.end())
        return *named;
    const auto place = static_cast<std::size_t>(std::ranges::find(siblings, row) - siblings.begin());
    return place < candidates.size() ? candidates[place] : RowTree::root;
}

} // namespace

std::vector<RowId> sameRows(const Workspace& workspace, RowId row)
{
    std::vector<RowId> same;
    if (row == RowTree::root || workspace.isOfAll(row))
        return same;
    const ReportId of = workspace.rows().row(row).report;
    const RowTree& own = *workspace.report(of).rows;
    std::vector<RowId> path; // from the row up to below its report's root
    for (RowId at = workspace.ownRow(row); at != RowTree::root; at = own.row(at).parent)
        path.push_back(at);
    for (const OpenReport& report : workspace.reports()) {
        RowId at = RowTree::root;
        bool isThere = true;
        for (auto step = path.rbegin(); step != path.rend() && isThere; ++step) {
            at = report.id == of ? *step : childLike(own, *step, *report.rows, at);
            isThere = at != RowTree::root;
        }
        if (isThere)
            same.push_back(workspace.rowOf(report.id, at));
    }
    return same;
}

} // namespace warpline
