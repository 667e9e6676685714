#pragma once

#include "core/base/stop.h"
#include "core/store/event_table.h"

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

} // namespace warpline
