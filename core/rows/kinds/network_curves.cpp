// Network metrics: one curve per device, port and metric. Those that stayed zero are left out of sight.

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

void build(const Trace& trace, CoverageCache&, RowTree& rows)
{
    RowId group = RowTree::root;
    RowId quiet = RowTree::root;
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        const CounterSeries& series = trace.counters[i];
        if (series.kind != CounterKind::Network)
            continue;
        if (group == RowTree::root) {
            group = rows.add(RowTree::root, headerRow("network", "Network"));
            rows.row(group).expanded = true;
        }
        const bool zero = series.highest == 0 && series.lowest == 0;
        if (zero && quiet == RowTree::root)
            quiet = rows.add(group, headerRow("network/zero", "Metrics that stayed zero"));
        Row row = headerRow("network/" + std::to_string(i), toUtf8(trace.text(series.name)));
        row.drawing = Drawing::Steps;
        row.tint = Tint::Counter;
        row.counter = i;
        row.hint = formatCount(series.size()) + " samples";
        rows.add(zero ? quiet : group, std::move(row));
    }
}

} // namespace

extern constinit const RowKind networkCurves{.id = "network", .title = "Network", .build = build};

} // namespace warpline
