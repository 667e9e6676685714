// The profiler's messages during recording, as marks at the bottom.

#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"

namespace warpline::report_marks {

namespace {

void build(const Trace& trace, CoverageCache& coverages, RowTree& rows)
{
    for (const TrackRef& ref : tracksOf(trace, EventKind::Diagnostic))
        rows.add(RowTree::root,
            trackRow(trace, coverages, ref, "diagnostics:" + std::to_string(ref.track),
                Message("row.diagnostics", "Profiler diagnostics"), Tint::Neutral, Figure::Count));
}

} // namespace

extern constinit const RowKind reportMarks{.build = build};

} // namespace warpline::report_marks
