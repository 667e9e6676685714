// Every NVTX push/pop range, by start, with its place among the ranges of its thread: level 0 is outermost.
// DurChild is the time of the ranges directly inside, DurNonChild the rest. Range ids are row numbers of the
// report's NVTX table; the stack has the ids of the ranges around a range, outermost first, with its own
// last; NameTree is the name after two dashes per level.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_around.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"
#include "core/store/nvtx_types.h"

#include <array>
#include <memory>

namespace warpline::nvtx_pushpop_trace {

namespace {

constexpr std::array kinds{EventKind::Nvtx};

bool isPushPop(const NvtxTable& nvtx, EventIndex i)
{
    return isClosedRange(nvtx, i) && nvtx.attributesOf(i).eventType == nvtxPushPop;
}

std::vector<Column> columns()
{
    return {{"Start (ns)", Unit::Nanoseconds}, {"End (ns)", Unit::Nanoseconds},
        {"Duration (ns)", Unit::Nanoseconds}, {"DurChild (ns)", Unit::Nanoseconds},
        {"DurNonChild (ns)", Unit::Nanoseconds}, {"Name", Unit::Text}, {"PID", Unit::Integer},
        {"TID", Unit::Integer}, {"Lvl", Unit::Integer}, {"NumChild", Unit::Count}, {"RangeId", Unit::Integer},
        {"ParentId", Unit::Integer}, {"RangeStack", Unit::Text}, {"NameTree", Unit::Text}};
}

/// A range in memory, with its direct children. The ranges around it are looked up when the row is made.
struct Row {
    Ns inside = 0; ///< their durations
    EventIndex range = noIndex;
    std::uint32_t children = 0;
    EventRef event() const { return {EventKind::Nvtx, range}; }
};

std::vector<Cell> rowOf(const Trace& trace, const NvtxAround& ranges, const Row& row)
{
    const NvtxTable& nvtx = trace.nvtx();
    const EventIndex i = row.range;
    const GlobalId thread = nvtx.trackOf(i).owner;
    const std::vector<EventIndex> around = ranges.of(i);
    const std::string name = nvtxName(trace, i);
    return {nvtx.start[i], nvtx.end(i), nvtx.duration[i], row.inside, nvtx.duration[i] - row.inside, name,
        integerCell(pidOf(thread)), integerCell(tidOf(thread)),
        integerCell(static_cast<std::int64_t>(around.size())), integerCell(row.children),
        integerCell(nvtx.sourceRow[i]), !around.empty() ? integerCell(nvtx.sourceRow[around.back()]) : Cell{},
        rangeStack(nvtx, around, i), std::string(2 * around.size(), '-') + name};
}

std::vector<Row> rowsByStart(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    const std::vector<EventIndex> parent = nestNvtx(trace, query.stop).parent;
    std::vector<Row> rows;
    std::vector<std::uint32_t> rowOfRange(nvtx.size(), noIndex);
    for (const EventRef range : eventsByStart(trace, kinds, query)) {
        if (!isPushPop(nvtx, range.index)
            || isRecordedOnGpu(EventKind::Nvtx, nvtx.trackOf(range.index))) // see nvtx_gpu_proj_trace
            continue;
        rowOfRange[range.index] = static_cast<std::uint32_t>(rows.size());
        rows.push_back({0, range.index, 0});
    }
    for (const EventIndex i : everyEvent(nvtx, query.stop)) {
        if (!isPushPop(nvtx, i) || parent[i] == noIndex || rowOfRange[parent[i]] == noIndex)
            continue;
        Row& outer = rows[rowOfRange[parent[i]]];
        outer.inside += nvtx.duration[i];
        ++outer.children;
    }
    rows.shrink_to_fit();
    return rows;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const auto ranges = std::make_shared<const NvtxAround>(trace.nvtx());
    return heldRows<Row>(columns(), rowsByStart(trace, query),
        [&trace, ranges](const Row& row) { return rowOf(trace, *ranges, row); });
}

} // namespace

extern constinit const StatsTable nvtxPushpopTrace{.id = "nvtx_pushpop_trace",
    .title = "NVTX Push/Pop Range Trace",
    .description
    = "Which ranges does the program run, in order? Every NVTX push/pop range with its place in the hierarchy.",
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxPushPop); },
    .fill = fill,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Trace};

} // namespace warpline::nvtx_pushpop_trace
