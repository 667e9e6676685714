// Every NVTX range that put work on the GPU, with the time of that work, in order of the projected start.
// What a projection is is said in nvtx_gpu_proj_sum.cpp. Range ids are row numbers of the report's NVTX
// table; the stack is the ids of the ranges around a range, outermost first, with its own last.

#include "core/stats/applies.h"
#include "core/stats/grouping.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <tuple>

namespace warpline {

namespace {

std::vector<Column> columns()
{
    return {{"Name", Unit::Text}, {"Projected Start (ns)", Unit::Nanoseconds},
        {"Projected Duration (ns)", Unit::Nanoseconds}, {"Orig Start (ns)", Unit::Nanoseconds},
        {"Orig Duration (ns)", Unit::Nanoseconds}, {"Style", Unit::Text}, {"PID", Unit::Integer},
        {"TID", Unit::Integer}, {"NumGPUOps", Unit::Count}, {"Lvl", Unit::Integer}, {"NumChild", Unit::Count},
        {"RangeId", Unit::Integer}, {"ParentId", Unit::Integer}, {"RangeStack", Unit::Text}};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    const std::vector<NvtxProjection> projections
        = projectForTables(trace, CallTwins(trace, query.stop), query.stop);
    const NvtxNesting nesting = nestNvtx(trace, query.stop);
    const std::vector<std::uint32_t> children = projectedChildren(projections, nesting);
    std::vector<EventIndex> ranges;
    forEachEvent(nvtx, query, [&](EventIndex i) {
        if (projections[i].operations > 0)
            ranges.push_back(i);
    });
    std::ranges::sort(ranges, {}, [&](EventIndex i) {
        return std::make_tuple(
            projections[i].projected.start, nesting.level[i], nvtx.start[i], nvtx.sourceRow[i]);
    });

    Cells cells;
    cells.columns = columns();
    for (const EventIndex i : ranges) {
        if (query.stop.stop_requested())
            break;
        const GlobalId thread = nvtx.trackOf(i).owner;
        const EventIndex parent = nesting.parent[i];
        cells.addRow(
            {nvtxName(trace, i), projections[i].projected.start, projections[i].projected.duration(),
                nvtx.start[i], nvtx.duration[i], std::string(nvtxStyle(nvtx.attributesOf(i).eventType)),
                integerCell(pidOf(thread)), integerCell(tidOf(thread)),
                integerCell(projections[i].operations), integerCell(nesting.level[i]),
                integerCell(children[i]), integerCell(nvtx.sourceRow[i]),
                parent != noIndex ? integerCell(nvtx.sourceRow[parent]) : Cell{},
                rangeStack(nvtx, nesting, i)},
            rowEvents(query, {EventKind::Nvtx, i}));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable nvtxGpuProjTrace{.id = "nvtx_gpu_proj_trace",
    .title = "NVTX GPU Projection Trace",
    .description = "Every NVTX range with the time its work took on the GPU.",
    .variants = {},
    .applies
    = [](const Trace& trace) { return hasGpuWork(trace) && hasApiCalls(trace) && hasNvtxRanges(trace); },
    .fill = fill};

} // namespace warpline
