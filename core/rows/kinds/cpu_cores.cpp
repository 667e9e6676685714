// CPU cores: the threads on each core, one row per core. Collapsed, because rows of processes show the same
// by thread.

#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/rows/row_builder.h"
#include "core/rows/row_kind.h"
#include "core/store/attributes.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline::cpu_cores {

namespace {

void build(const Trace& trace, CoverageCache& coverages, RowTree& rows)
{
    std::vector<TrackRef> cores = tracksOf(trace, EventKind::CpuCore);
    std::ranges::sort(cores, {}, [&](const TrackRef& ref) {
        const EventIndex any = stateShownBy(trace, trace.track(ref).firstEvent);
        return coreOfState(trace, any);
    });
    if (cores.empty())
        return;
    const RowId group = rows.add(RowTree::root, headerRow("cpu-cores", {"row.cpu_cores", "CPU cores"}));
    rows.row(group).figure = countText(cores.size());
    for (const TrackRef& ref : cores) {
        const std::string label = toUtf8(trace.text(trace.track(ref).family));
        rows.add(group,
            trackRow(trace, coverages, ref, "cpu-cores/" + label, nameMessage(label), Tint::ThreadState,
                Figure::Busy));
    }
}

} // namespace

extern constinit const RowKind cpuCores{.build = build};

} // namespace warpline::cpu_cores
