#include "core/stats/trace_rows.h"

#include "core/stats/grouping.h"
#include "core/store/lane_merge.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// Puts events of equal start in order: by kind, then as the report has them.
void orderEqualStarts(const Trace& trace, std::span<const EventKind> kinds, const std::stop_token& stop,
    std::vector<EventRef>& events)
{
    const auto startOf = [&](EventRef event) { return trace.table(event.kind).start[event.index]; };
    const auto placeOf = [&](EventRef event) {
        return std::pair(
            std::ranges::find(kinds, event.kind), trace.table(event.kind).sourceRow[event.index]);
    };
    StopCheck check(stop);
    for (std::size_t first = 0; first < events.size();) {
        check.step();
        const Ns start = startOf(events[first]);
        std::size_t last = first + 1;
        while (last < events.size() && startOf(events[last]) == start)
            ++last;
        if (last - first > 1)
            std::ranges::sort(std::span(events).subspan(first, last - first), {}, placeOf);
        first = last;
    }
}

} // namespace

std::vector<EventRef> eventsByStart(
    const Trace& trace, std::span<const EventKind> kinds, const StatsQuery& query)
{
    // Lanes are sorted already: they are merged, and nothing but the result takes memory.
    std::vector<LaneRun> runs;
    std::size_t count = 0;
    for (const EventKind kind : kinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (!passes(query.covers, track))
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = query.window.empty()
                    ? std::pair(lane.first, lane.first + lane.count)
                    : table.touching(lane, query.window);
                runs.push_back({kind, &table, first, last});
                count += last - first;
            }
        }
    }
    std::vector<EventRef> events;
    events.reserve(count);
    StopCheck check(query.stop);
    forEachByStart(std::move(runs), [&](EventKind kind, const EventTable&, EventIndex i) {
        check.step();
        events.push_back({kind, i});
    });
    orderEqualStarts(trace, kinds, query.stop, events);
    return events;
}

std::string deviceLabel(const Trace& trace, GlobalId owner, std::int32_t device)
{
    const Device* const gpu = trace.device(owner, device);
    return (gpu ? gpu->name : std::string()) + " (" + std::to_string(device) + ")";
}

std::vector<EventRef> rowEvents(const StatsQuery& query, EventRef event)
{
    return query.wantEvents ? std::vector{event} : std::vector<EventRef>{};
}

std::string upperHex(std::uint64_t number)
{
    return fmt::format("0x{:X}", number);
}

Cell integerCell(std::int64_t value)
{
    return value;
}

Cell megabytesCell(std::uint64_t bytes)
{
    return static_cast<double>(bytes) / 1e6;
}

} // namespace warpline
