#pragma once

#include "core/base/stop.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpline {

/// All events of `table`, for a range-for that throws Stopped when `stop` is requested.
inline Stoppable<EventIndex> everyEvent(const EventTable& table, const std::stop_token& stop)
{
    return {0, static_cast<EventIndex>(table.size()), stop};
}

/// All events of `track`, in the same way.
inline Stoppable<EventIndex> eventsOf(const Track& track, const std::stop_token& stop)
{
    return {track.firstEvent, track.firstEvent + track.eventCount, stop};
}

/// The events of some lanes of a table that touch a window: lane by lane, those of each in order of time.
class EventsIn {
public:
    EventsIn(
        const EventTable& table, std::span<const Lane> lanes, TimeRange window, const std::stop_token& stop)
        : m_table(table),
          m_lanes(lanes),
          m_window(window),
          m_stop(stop)
    {
    }

    struct End { };

    class Iterator {
    public:
        explicit Iterator(const EventsIn& events)
            : m_events(&events)
        {
            enterLane();
        }
        EventIndex operator*() const { return m_at; }
        Iterator& operator++()
        {
            if (++m_at == m_last) {
                ++m_lane;
                enterLane();
            } else if (m_at % stepsBetweenStops == 0) {
                throwIfStopped(m_events->m_stop);
            }
            return *this;
        }
        bool operator!=(End) const { return m_lane < m_events->m_lanes.size(); }

    private:
        /// Goes to the first event that m_lane, or the next lane with any, has.
        void enterLane()
        {
            for (; m_lane < m_events->m_lanes.size(); ++m_lane) {
                throwIfStopped(m_events->m_stop);
                std::tie(m_at, m_last)
                    = m_events->m_table.touching(m_events->m_lanes[m_lane], m_events->m_window);
                if (m_at < m_last)
                    return;
            }
        }

        const EventsIn* m_events;
        std::size_t m_lane = 0;
        EventIndex m_at = 0;
        EventIndex m_last = 0;
    };

    Iterator begin() const { return Iterator(*this); }
    End end() const { return {}; }

private:
    const EventTable& m_table;
    std::span<const Lane> m_lanes;
    TimeRange m_window;
    const std::stop_token& m_stop;
};

/// For loops that nothing stops.
inline const std::stop_token neverStopped;

/// The events of `table` that overlap `window`, for a range-for that throws Stopped when `stop` is requested.
inline EventsIn eventsIn(
    const EventTable& table, TimeRange window, const std::stop_token& stop = neverStopped)
{
    return {table, table.lanes, window, stop};
}
/// Those of `track`, in the same way.
inline EventsIn eventsIn(
    const EventTable& table, const Track& track, TimeRange window, const std::stop_token& stop = neverStopped)
{
    return {table, table.lanesOf(track), window, stop};
}

/// `of(name)`, a value such as a bool or an enum, worked out once for each name: events are many, names are
/// few.
template <typename Of> class OncePerName {
public:
    using Value = std::invoke_result_t<Of&, StringId>;

    explicit OncePerName(Of of)
        : m_of(std::move(of))
    {
    }
    Value operator()(StringId name)
    {
        if (raw(name) >= m_known.size())
            m_known.resize(raw(name) + std::size_t{1});
        std::optional<Value>& known = m_known[raw(name)];
        if (!known)
            known = m_of(name);
        return *known;
    }

private:
    Of m_of;
    std::vector<std::optional<Value>> m_known;
};

/// Whether `is(name)` holds for any name of `table`; each distinct name is asked about once. Throws Stopped
/// when `stop` is requested.
template <typename Is> bool anyName(const EventTable& table, const std::stop_token& stop, Is is)
{
    OncePerName once(std::move(is));
    for (const StringId name : stoppableItems(table.name, stop)) {
        if (once(name))
            return true;
    }
    return false;
}

/// Calls visit(name) once for each distinct name of `table`. Throws Stopped when `stop` is requested.
template <typename Visit>
void forEachName(const EventTable& table, const std::stop_token& stop, Visit&& visit)
{
    anyName(table, stop, [&](StringId name) {
        visit(name);
        return false;
    });
}

} // namespace warpline
