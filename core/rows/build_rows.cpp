#include "core/rows/row_kind.h"

#include "core/base/stop.h"
#include "core/coverage/coverage_cache.h"
#include "core/rows/row_help.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

/// Headers count the events below them; leaves already know theirs.
std::uint64_t countEvents(RowTree& rows, RowId id)
{
    std::uint64_t below = 0;
    for (const RowId child : rows.children(id))
        below += countEvents(rows, child);
    Row& row = rows.row(id);
    if (row.drawing == Drawing::Header)
        row.events = below;
    return row.drawing == Drawing::Summary ? std::max(row.events, below)
                                           : row.events + (row.drawing == Drawing::Header ? 0 : below);
}

} // namespace

std::shared_ptr<const RowTree> buildRows(const Trace& trace)
{
    CoverageCache coverages; // rows of one tree share, too
    return buildRows(trace, coverages);
}

std::shared_ptr<const RowTree> buildRows(const Trace& trace, CoverageCache& coverages)
{
    auto rows = std::make_shared<RowTree>();
    for (const RowKind* const kind : allRowKinds()) {
        throwIfStopped(coverages.stop());
        kind->build(trace, coverages, *rows);
    }
    countEvents(*rows, RowTree::root);
    for (const RowId id : rows->subtree(RowTree::root)) {
        if (Row& row = rows->row(id); row.hint.empty())
            row.hint = rowHelp(trace, row);
    }
    return rows;
}

} // namespace warpline
