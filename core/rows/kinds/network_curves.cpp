// Network metrics: one curve per device, port and metric. Those that stay zero are hidden.

#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/trace.h"

namespace warpline::network_curves {

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
            group = rows.add(RowTree::root, headerRow("network", Message("row.network", "Network")));
            rows.row(group).expanded = true;
        }
        const bool zero = series.highest == 0 && series.lowest == 0;
        if (zero && quiet == RowTree::root)
            quiet = rows.add(group, headerRow("network/zero", {"row.zero", "Metrics that stayed zero"}));
        rows.add(zero ? quiet : group, counterRow(trace, i, "network/" + std::to_string(i)));
    }
}

} // namespace

extern constinit const RowKind networkCurves{.build = build};

} // namespace warpline::network_curves
