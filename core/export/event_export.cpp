#include "core/export/event_export.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

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

bool hasCounters(const EventExport& asked)
{
    return asked.kinds.empty() && !asked.filter && !asked.only;
}

std::uint64_t eventsToLookAt(const Trace& trace, const EventExport& asked)
{
    std::uint64_t all = 0;
    for (const EventKind kind : kindsOf(asked))
        all += trace.table(kind).size();
    for (const CounterSeries& series : trace.counters)
        all += hasCounters(asked) && series.times ? series.size() : 0;
    return all;
}

bool visitTrack(
    const Trace& trace, TrackRef ref, const EventExport& asked, const std::function<bool(EventIndex)>& visit)
{
    if (asked.filter && !asked.filter->mayPass(ref.kind))
        return true;
    const EventTable& table = trace.table(ref.kind);
    const TimeRange window = asked.window.empty() ? allTime : asked.window;
    for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
        auto [first, last] = table.touching(lane, window);
        for (EventIndex i = first; i < last; ++i) {
            if (asked.filter && !(*asked.filter)({ref.kind, i}))
                continue;
            if (asked.only && !std::ranges::binary_search(*asked.only, EventRef{ref.kind, i}))
                continue;
            if (!visit(i))
                return false;
        }
    }
    return true;
}

} // namespace warpline
