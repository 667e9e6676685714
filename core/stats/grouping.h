#pragma once

#include "core/base/time.h"
#include "core/stats/key_numbers.h"
#include "core/stats/stats_table.h"
#include "core/store/event_loops.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

/// Calls visit(i) for the events of `table` that overlap `window`, as nsys filters by time; durations are not
/// clipped. An empty window selects all events. In the table's order. Throws Stopped when `stop` is
/// requested.
template <typename Visit>
void forEachEvent(const EventTable& table, TimeRange window, const std::stop_token& stop, Visit visit)
{
    if (window.empty()) {
        for (const EventIndex i : everyEvent(table, stop))
            visit(i);
        return;
    }
    for (const EventIndex i : eventsIn(table, window, stop))
        visit(i);
}

/// The same for the window and tracks of `query`.
template <typename Visit> void forEachEvent(const EventTable& table, const StatsQuery& query, Visit visit)
{
    if (!query.covers) { // the table as a whole, faster
        forEachEvent(table, query.window, query.stop, visit);
        return;
    }
    for (const Track& track : table.tracks) {
        if (!query.covers(track))
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = query.window.empty() ? std::pair(lane.first, lane.first + lane.count)
                                                            : table.touching(lane, query.window);
            for (const EventIndex i : stoppable(first, last, query.stop))
                visit(i);
        }
    }
}

/// Whether event `i` of `table` is asked for by `window`; see forEachEvent().
inline bool isAsked(const EventTable& table, EventIndex i, TimeRange window)
{
    return window.empty() || window.touches(table.start[i], table.end(i));
}

/// The same for `query`.
inline bool isAsked(const EventTable& table, EventIndex i, const StatsQuery& query)
{
    return isAsked(table, i, query.window) && passes(query.covers, table.trackOf(i));
}

/// The entries of `map`, those of the largest weightOf(entry) first.
template <typename Map, typename WeightOf> auto largestFirst(Map& map, WeightOf weightOf)
{
    std::vector<decltype(&*map.begin())> order;
    for (auto& entry : map)
        order.push_back(&entry);
    std::ranges::stable_sort(order, std::greater{}, [&](const auto* entry) { return weightOf(*entry); });
    return order;
}

/// Values by key, collected in one pass, then laid out so that each group's values are one run.
class Groups {
public:
    explicit Groups(bool keepEvents, std::stop_token stop = {})
        : m_keepEvents(keepEvents),
          m_stop(std::move(stop))
    {
    }
    /// Keeps events when `query` wants them.
    explicit Groups(const StatsQuery& query)
        : Groups(query.wantEvents, query.stop)
    {
    }

    void reserve(std::size_t values);
    void add(std::uint64_t key, std::int64_t value, EventRef event);
    /// Sorts values and events by group; call once, after the last add(). Throws Stopped when a stop is
    /// requested.
    void finish();

    /// Groups are numbered in the order their keys first came.
    std::size_t size() const { return m_keys.size(); }
    std::uint64_t key(std::size_t group) const { return m_keys.keys()[group]; }
    std::span<std::int64_t> values(std::size_t group);
    /// Empty when events are not stored.
    std::span<const EventRef> events(std::size_t group) const;

private:
    bool m_keepEvents;
    std::stop_token m_stop;
    KeyNumbers<std::uint64_t> m_keys;
    std::vector<std::uint32_t> m_count; ///< values per group
    std::vector<std::uint32_t> m_first; ///< of each group, once finished
    std::vector<std::uint32_t> m_group; ///< of each value, until finished
    std::vector<std::int64_t> m_values;
    std::vector<EventRef> m_events;
};

} // namespace warpline
