#include "views/timeline/event_light.h"

#include "core/derive/helper_threads.h"
#include "core/store/trace.h"

#include <algorithm>
#include <iterator>

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

/// Calls of helper threads (HelperThreads) during it are inside it, too.
std::optional<EventLight::Work> workInside(const Trace& trace, ReportId report, EventIndex range)
{
    const Track& of = trace.nvtx().trackOf(range);
    const TimeRange inside = trace.nvtx().range(range);
    if (of.device >= 0 || inside.empty())
        return std::nullopt;
    EventLight::Work work{report, {}};
    const HelperThreads helpers(trace);
    for (const Track& track : trace.apiCalls().tracks) {
        if (track.owner == of.owner || helpers.worksFor(track.owner) == of.owner)
            std::ranges::copy(callsWithin(trace, track, inside), std::back_inserter(work.calls));
    }
    if (work.calls.empty())
        return std::nullopt;
    std::ranges::sort(work.calls);
    return work;
}

} // namespace warpline
