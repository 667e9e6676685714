// The program's own counters: counters of traces in Chrome's format, memory on the host.

#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/counter_table.h"
#include "core/store/trace.h"

namespace warpline::program_counters {

namespace {

void build(const Trace& trace, CoverageCache&, RowTree& rows)
{
    RowId group = RowTree::root;
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        const CounterSeries& series = trace.counters[i];
        if (!isProgramCounter(series))
            continue;
        if (group == RowTree::root)
            group = rows.add(RowTree::root, headerRow("counters", Message("row.counters", "Counters")));
        rows.add(group, counterRow(trace, i, "counters/" + std::to_string(i)));
    }
}

} // namespace

extern constinit const RowKind programCounters{.build = build};

} // namespace warpline::program_counters
