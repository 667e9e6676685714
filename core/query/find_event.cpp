#include "core/query/find_event.h"

namespace warpline {

EventRef eventTaking(const Trace& trace, TimeRange time, std::string_view name)
{
    EventRef first;
    for (const EventKind kind : allEventKinds()) {
        if (isDerived(kind))
            continue;
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            const EventIndex end = lane.first + lane.count;
            for (EventIndex i = table.firstStartingAt(lane, time.start);
                 i < end && table.start[i] == time.start; ++i) {
                if (table.end(i) != time.end)
                    continue;
                const EventRef event{kind, i};
                if (name.empty() || trace.name(event) == name || trace.displayName(event) == name)
                    return event;
                first = first.valid() ? first : event;
            }
        }
    }
    return first;
}

} // namespace warpline
