// Every NVTX range that launched GPU work, with the time of that work, by the range's own start.
// nvtx_gpu_proj_sum.cpp defines projections. Range ids are row numbers of the report's NVTX table; the stack
// has the ids of the ranges around a range, outermost first, with its own last.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_around.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <unordered_map>

namespace warpline::nvtx_gpu_proj_trace {

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

/// A range in memory. Its times and the ranges around it are looked up when the row is made.
struct Row {
    EventIndex range;
    EventIndex firstCall; ///< see NvtxProjection
    EventIndex lastCall;
    std::uint16_t operations; ///< `many`: see Projections::large
    std::uint16_t children;
    EventRef event() const { return {EventKind::Nvtx, range}; }
};

constexpr std::uint16_t many = std::numeric_limits<std::uint16_t>::max();

struct Counts {
    std::uint32_t operations = 0;
    std::uint32_t children = 0;
};

struct Projections {
    NvtxAround around;
    std::unordered_map<EventIndex, Counts> large; ///< of rows with a count that they have no room for
};

std::vector<Cell> rowOf(const Trace& trace, const Projections& all, const Row& row)
{
    const NvtxTable& nvtx = trace.nvtx();
    const EventIndex i = row.range;
    const GlobalId thread = nvtx.trackOf(i).owner;
    const std::vector<EventIndex> around = all.around.of(i);
    const Ns start = projectedWork(trace, row.firstCall).value_or(TimeRange{}).start;
    const Ns end = projectedWork(trace, row.lastCall).value_or(TimeRange{}).end;
    const auto large = all.large.find(i);
    const Counts counts = large != all.large.end() ? large->second : Counts{row.operations, row.children};
    return {nvtxName(trace, i), start, end - start, nvtx.start[i], nvtx.duration[i],
        std::string(nvtxStyle(nvtx.attributesOf(i).eventType)), integerCell(pidOf(thread)),
        integerCell(tidOf(thread)), integerCell(counts.operations),
        integerCell(static_cast<std::int64_t>(around.size())), integerCell(counts.children),
        integerCell(nvtx.sourceRow[i]), !around.empty() ? integerCell(nvtx.sourceRow[around.back()]) : Cell{},
        rangeStack(nvtx, around, i)};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const auto all = std::make_shared<Projections>(Projections{NvtxAround(trace.nvtx()), {}});
    const std::vector<NvtxProjection> projections
        = projectForTables(trace, *callTwinsOf(trace, query.stop), query.stop);
    const std::vector<std::uint32_t> children = projectedChildren(projections, nestNvtx(trace, query.stop));
    std::vector<EventRef> ranges = eventsByStart(trace, kinds, query);
    std::erase_if(ranges, [&](EventRef range) { return projections[range.index].operations == 0; });
    std::vector<Row> rows;
    rows.reserve(ranges.size());
    for (const EventRef range : ranges) {
        const NvtxProjection& projection = projections[range.index];
        const Counts counts{projection.operations, children[range.index]};
        if (counts.operations >= many || counts.children >= many)
            all->large.emplace(range.index, counts);
        rows.push_back({range.index, projection.firstCall, projection.lastCall,
            static_cast<std::uint16_t>(std::min<std::uint32_t>(counts.operations, many)),
            static_cast<std::uint16_t>(std::min<std::uint32_t>(counts.children, many))});
    }
    return heldRows<Row>(
        columns(), std::move(rows), [&trace, all](const Row& row) { return rowOf(trace, *all, row); });
}

} // namespace

extern constinit const StatsTable nvtxGpuProjTrace{.id = "nvtx_gpu_proj_trace",
    .title = "NVTX GPU Projection Trace",
    .description
    = "When did the GPU work for each of the program's ranges? Every NVTX range with the time its work took on the GPU.",
    .applies
    = [](const Trace& trace) { return hasGpuWork(trace) && hasApiCalls(trace) && hasNvtxRanges(trace); },
    .fill = fill,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Trace};

} // namespace warpline::nvtx_gpu_proj_trace
