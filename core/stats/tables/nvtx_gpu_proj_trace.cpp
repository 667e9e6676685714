// Every NVTX range that put work on the GPU, with the time of that work, in order of the range's own start.
// What a projection is is said in nvtx_gpu_proj_sum.cpp. Range ids are row numbers of the report's NVTX
// table; the stack is the ids of the ranges around a range, outermost first, with its own last.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"

#include <array>
#include <memory>

namespace warpline {

namespace {

constexpr std::array kinds{EventKind::Nvtx};

std::vector<Column> columns()
{
    return {{"Name", Unit::Text}, {"Projected Start (ns)", Unit::Nanoseconds},
        {"Projected Duration (ns)", Unit::Nanoseconds}, {"Orig Start (ns)", Unit::Nanoseconds},
        {"Orig Duration (ns)", Unit::Nanoseconds}, {"Style", Unit::Text}, {"PID", Unit::Integer},
        {"TID", Unit::Integer}, {"NumGPUOps", Unit::Count}, {"Lvl", Unit::Integer}, {"NumChild", Unit::Count},
        {"RangeId", Unit::Integer}, {"ParentId", Unit::Integer}, {"RangeStack", Unit::Text}};
}

struct Projections {
    std::vector<NvtxProjection> projections;
    NvtxNesting nesting;
    std::vector<std::uint32_t> children;
};

std::vector<Cell> rowOf(const Trace& trace, const Projections& all, EventIndex i)
{
    const NvtxTable& nvtx = trace.nvtx();
    const NvtxProjection& projection = all.projections[i];
    const GlobalId thread = nvtx.trackOf(i).owner;
    const EventIndex parent = all.nesting.parent[i];
    return {nvtxName(trace, i), projection.projected.start, projection.projected.duration(), nvtx.start[i],
        nvtx.duration[i], std::string(nvtxStyle(nvtx.attributesOf(i).eventType)), integerCell(pidOf(thread)),
        integerCell(tidOf(thread)), integerCell(projection.operations), integerCell(all.nesting.level[i]),
        integerCell(all.children[i]), integerCell(nvtx.sourceRow[i]),
        parent != noIndex ? integerCell(nvtx.sourceRow[parent]) : Cell{},
        rangeStack(nvtx, all.nesting.parent, i)};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const auto all = std::make_shared<Projections>();
    all->projections = projectForTables(trace, CallTwins(trace));
    all->nesting = nestNvtx(trace);
    all->children = projectedChildren(all->projections, all->nesting);
    std::vector<EventRef> ranges = eventsByStart(trace, kinds, query);
    std::erase_if(ranges, [&](EventRef range) { return all->projections[range.index].operations == 0; });
    ranges.shrink_to_fit();
    return tracedRows(columns(), std::move(ranges),
        [&trace, all](EventRef range) { return rowOf(trace, *all, range.index); });
}

} // namespace

extern constinit const StatsTable nvtxGpuProjTrace{.id = "nvtx_gpu_proj_trace",
    .title = "NVTX GPU Projection Trace",
    .description = "Every NVTX range with the time its work took on the GPU.",
    .arguments = {},
    .applies
    = [](const Trace& trace) { return hasGpuWork(trace) && hasApiCalls(trace) && hasNvtxRanges(trace); },
    .fill = fill};

} // namespace warpline
