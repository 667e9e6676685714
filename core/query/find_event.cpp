#include "core/query/find_event.h"

#include "core/store/trace.h"

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

EventRef eventOfRow(const Trace& trace, std::string_view table, std::uint32_t row)
{
    for (const EventKind kind : allEventKinds()) {
        const EventTable& events = trace.table(kind);
        if (isDerived(kind))
            continue;
        for (const Track& track : events.tracks) {
            if (trace.text(track.source) != table)
                continue;
            for (const Lane& lane : events.lanesOf(track)) {
                for (EventIndex i = lane.first; i < lane.first + lane.count; ++i) {
                    if (events.sourceRow[i] == row)
                        return {kind, i};
                }
            }
        }
    }
    return {};
}

} // namespace warpline
