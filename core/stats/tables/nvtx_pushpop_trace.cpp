// Every NVTX push/pop range, in order of start, with its place among the ranges of its thread: level 0 is
// outermost. DurChild is the time of the ranges directly inside, DurNonChild the rest. Range ids are row
// numbers of the report's NVTX table; the stack is the ids of the ranges around a range, outermost first,
// with its own last; NameTree is the name behind two dashes for each level.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"

#include <array>

namespace warpline {

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

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    const NvtxNesting nesting = nestNvtx(trace, query.stop);
    std::vector<Ns> inChildren(nvtx.size(), 0);
    std::vector<std::uint32_t> children(nvtx.size(), 0);
    for (const EventIndex i : everyEvent(nvtx, query.stop)) {
        if (isPushPop(nvtx, i) && nesting.parent[i] != noIndex) {
            inChildren[nesting.parent[i]] += nvtx.duration[i];
            ++children[nesting.parent[i]];
        }
    }
    Cells cells;
    cells.columns = columns();
    for (const EventRef event : eventsByStart(trace, kinds, query)) {
        if (query.stop.stop_requested())
            break;
        const EventIndex i = event.index;
        if (!isPushPop(nvtx, i))
            continue;
        const GlobalId thread = nvtx.trackOf(i).owner;
        const EventIndex parent = nesting.parent[i];
        const std::string name = nvtxName(trace, i);
        cells.addRow(
            {nvtx.start[i], nvtx.end(i), nvtx.duration[i], inChildren[i], nvtx.duration[i] - inChildren[i],
                name, integerCell(pidOf(thread)), integerCell(tidOf(thread)), integerCell(nesting.level[i]),
                integerCell(children[i]), integerCell(nvtx.sourceRow[i]),
                parent != noIndex ? integerCell(nvtx.sourceRow[parent]) : Cell{},
                rangeStack(nvtx, nesting, i), std::string(std::size_t{2} * nesting.level[i], '-') + name},
            rowEvents(query, event));
    }
    return cells;
}

} // namespace

extern constinit const StatsTable nvtxPushpopTrace{.id = "nvtx_pushpop_trace",
    .title = "NVTX Push/Pop Range Trace",
    .description = "Every NVTX push/pop range with its place among the others.",
    .variants = {},
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxPushPop); },
    .fill = fill};

} // namespace warpline
