// What a program counted of itself: counters of traces in Chrome's format, memory on the host.

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/program_counter.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

void build(const Trace& trace, CoverageCache&, RowTree& rows)
{
    RowId group = RowTree::root;
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        const CounterSeries& series = trace.counters[i];
        if (!isProgramCounter(series))
            continue;
        if (group == RowTree::root)
            group = rows.add(RowTree::root, headerRow("counters", "Counters"));
        Row row = headerRow("counters/" + std::to_string(i), toUtf8(trace.text(series.name)));
        row.drawing = Drawing::Steps;
        row.tint = Tint::Counter;
        row.counter = i;
        row.hint = formatCount(series.size()) + " samples";
        rows.add(group, std::move(row));
    }
}

} // namespace

extern constinit const RowKind programCounters{.id = "counters", .title = "Counters", .build = build};

} // namespace warpline
