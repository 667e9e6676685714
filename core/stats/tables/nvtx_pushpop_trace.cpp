// Every NVTX push/pop range, in order of start, with its place among the ranges of its thread: level 0 is
// outermost. DurChild is the time of the ranges directly inside, DurNonChild the rest. Range ids are row
// numbers of the report's NVTX table; the stack is the ids of the ranges around a range, outermost first,
// with its own last; NameTree is the name behind two dashes for each level.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/trace_rows.h"

#include <algorithm>
#include <array>
#include <memory>

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

/// What lies directly inside a range.
struct Inside {
    EventIndex range = noIndex;
    std::uint32_t count = 0;
    Ns duration = 0;
};

struct PushPops {
    NvtxNesting nesting;
    std::vector<Inside> inside; ///< of ranges that have any, by range
};

std::vector<Inside> insideRanges(const NvtxTable& nvtx, const std::vector<EventIndex>& parent)
{
    std::vector<Inside> inside;
    for (EventIndex i = 0; i < nvtx.size(); ++i) {
        if (!isPushPop(nvtx, i) || parent[i] == noIndex)
            continue;
        if (inside.empty() || inside.back().range != parent[i])
            inside.push_back({parent[i]});
        ++inside.back().count;
        inside.back().duration += nvtx.duration[i];
    }
    std::ranges::sort(inside, {}, &Inside::range);
    std::size_t last = 0; // ranges of several domains inside one come apart
    for (std::size_t i = 1; i < inside.size(); ++i) {
        if (inside[i].range != inside[last].range) {
            inside[++last] = inside[i];
            continue;
        }
        inside[last].count += inside[i].count;
        inside[last].duration += inside[i].duration;
    }
    inside.resize(inside.empty() ? 0 : last + 1);
    return inside;
}

std::vector<Cell> rowOf(const Trace& trace, const PushPops& all, EventIndex i)
{
    const NvtxTable& nvtx = trace.nvtx();
    const GlobalId thread = nvtx.trackOf(i).owner;
    const EventIndex parent = all.nesting.parent[i];
    const std::uint32_t level = all.nesting.level[i];
    const auto found = std::ranges::lower_bound(all.inside, i, {}, &Inside::range);
    const Inside inside = found != all.inside.end() && found->range == i ? *found : Inside{i};
    const std::string name = nvtxName(trace, i);
    return {nvtx.start[i], nvtx.end(i), nvtx.duration[i], inside.duration, nvtx.duration[i] - inside.duration,
        name, integerCell(pidOf(thread)), integerCell(tidOf(thread)), integerCell(level),
        integerCell(inside.count), integerCell(nvtx.sourceRow[i]),
        parent != noIndex ? integerCell(nvtx.sourceRow[parent]) : Cell{},
        rangeStack(nvtx, all.nesting.parent, i), std::string(std::size_t{2} * level, '-') + name};
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const NvtxTable& nvtx = trace.nvtx();
    const auto all = std::make_shared<PushPops>();
    all->nesting = nestNvtx(trace);
    all->inside = insideRanges(nvtx, all->nesting.parent);
    std::vector<EventRef> ranges = eventsByStart(trace, kinds, query);
    std::erase_if(ranges, [&](EventRef range) { return !isPushPop(nvtx, range.index); });
    return tracedRows(columns(), std::move(ranges),
        [&trace, all](EventRef range) { return rowOf(trace, *all, range.index); });
}

} // namespace

extern constinit const StatsTable nvtxPushpopTrace{.id = "nvtx_pushpop_trace",
    .title = "NVTX Push/Pop Range Trace",
    .description = "Every NVTX push/pop range with its place among the others.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxPushPop); },
    .fill = fill};

} // namespace warpline
