#include "views/timeline/event_light.h"

#include <algorithm>

namespace warpline {

bool EventLight::Work::dims(const Trace& trace, EventRef event) const
{
    EventIndex call = event.index;
    if (event.kind != EventKind::ApiCall) {
        if (!runsOnDevice(event.kind))
            return false;
        const EventRef launch = trace.apiCallOf(event);
        if (!launch.valid())
            return true;
        call = launch.index;
    }
    const auto after = std::ranges::upper_bound(calls, call, {}, [](const auto& run) { return run.first; });
    return after == calls.begin() || call >= std::prev(after)->second;
}

std::optional<EventLight::Work> workInside(const Trace& trace, ReportId report, EventIndex range)
{
    const Track& of = trace.nvtx().trackOf(range);
    const TimeRange inside = trace.nvtx().range(range);
    if (of.device >= 0 || inside.empty())
        return std::nullopt;
    EventLight::Work work{report, {}};
    const EventTable& calls = trace.apiCalls();
    for (const Track& track : calls.tracks) {
        if (track.owner != of.owner)
            continue;
        for (const Lane& lane : calls.lanesOf(track)) {
            const EventIndex first = calls.firstStartingAt(lane, inside.start);
            const EventIndex last = calls.firstStartingAt(lane, inside.end);
            if (first < last)
                work.calls.emplace_back(first, last);
        }
    }
    if (work.calls.empty())
        return std::nullopt;
    std::ranges::sort(work.calls);
    return work;
}

} // namespace warpline
