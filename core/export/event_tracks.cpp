#include "core/export/event_tracks.h"

#include "core/store/event_loops.h"

namespace warpline {

std::vector<EventKind> kindsOf(const EventExport& asked)
{
    if (!asked.kinds.empty())
        return asked.kinds;
    std::vector<EventKind> kinds;
    for (const EventKind kind : allEventKinds()) {
        if (!isDerived(kind))
            kinds.push_back(kind);
    }
    return kinds;
}

TimeRange windowOf(const Trace& trace, const EventExport& asked)
{
    return asked.window.empty() ? TimeRange{trace.session.start, trace.session.end + 1} : asked.window;
}

bool visitTrack(
    const Trace& trace, TrackRef ref, const EventExport& asked, const std::function<bool(EventIndex)>& visit)
{
    if (asked.filter && !asked.filter->mayPass(ref.kind))
        return true;
    const EventTable& table = trace.table(ref.kind);
    for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
        auto [first, last] = table.touching(lane, windowOf(trace, asked));
        for (EventIndex i = first; i < last; ++i) {
            if (asked.filter && !(*asked.filter)({ref.kind, i}))
                continue;
            if (!visit(i))
                return false;
        }
    }
    return true;
}

} // namespace warpline
