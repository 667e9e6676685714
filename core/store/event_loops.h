#pragma once

#include "core/base/stop.h"
#include "core/store/event_table.h"

#include <unordered_set>

namespace warpline {

/// All events of `table`, for a range-for that ends by Stopped when `stop` is requested.
inline Stoppable<EventIndex> everyEvent(const EventTable& table, const std::stop_token& stop)
{
    return {0, static_cast<EventIndex>(table.size()), stop};
}

/// All events of `track`, in the same way.
inline Stoppable<EventIndex> eventsOf(const Track& track, const std::stop_token& stop)
{
    return {track.firstEvent, track.firstEvent + track.eventCount, stop};
}

/// Whether `is(name)` holds for any name of `table`; each distinct name is asked about once. Throws Stopped
/// when `stop` is requested.
template <typename Is> bool anyName(const EventTable& table, const std::stop_token& stop, Is&& is)
{
    std::unordered_set<std::uint32_t> asked; // names are few
    for (const StringId name : stoppableItems(table.name, stop)) {
        if (asked.insert(raw(name)).second && is(name))
            return true;
    }
    return false;
}

} // namespace warpline
