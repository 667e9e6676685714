#include "core/derive/helper_threads.h"

#include "core/base/stop.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>

namespace warpline {

HelperThreads::HelperThreads(const Trace& trace)
{
    std::map<GlobalId, std::uint64_t> ranges; // of the program's own, by thread
    for (const Track& track : trace.nvtx().tracks) {
        if (track.device < 0 && !isLibraryDomain(trace.text(track.family)))
            ranges[track.owner] += track.eventCount;
    }
    std::map<GlobalId, GlobalId> leaders; // by process
    for (const auto& [thread, count] : ranges) {
        const auto [leader, added] = leaders.try_emplace(processOf(thread), thread);
        if (!added && count > ranges[leader->second])
            leader->second = thread;
    }
    for (const Track& track : trace.apiCalls().tracks) {
        const auto leader = leaders.find(processOf(track.owner));
        if (leader != leaders.end() && !ranges.contains(track.owner))
            m_leaders.emplace(track.owner, leader->second);
    }
}

std::optional<GlobalId> HelperThreads::worksFor(GlobalId thread) const
{
    const auto found = m_leaders.find(thread);
    return found == m_leaders.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::pair<EventIndex, EventIndex>> callsWithin(
    const Trace& trace, const Track& track, TimeRange window)
{
    const EventTable& calls = trace.apiCalls();
    std::vector<std::pair<EventIndex, EventIndex>> runs;
    for (const Lane& lane : calls.lanesOf(track)) {
        const EventIndex first = calls.firstStartingAt(lane, window.start);
        const EventIndex last = calls.firstStartingAt(lane, window.end);
        if (first < last)
            runs.emplace_back(first, last);
    }
    return runs;
}

namespace {

void addWork(const Trace& trace, const Track& track, TimeRange window, LaunchedWork& launched,
    const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    Ns firstCall = launched.first.valid() ? calls.start[trace.apiCallOf(launched.first).index]
                                          : std::numeric_limits<Ns>::max();
    StopCheck check(stop);
    for (const auto& [first, last] : callsWithin(trace, track, window)) {
        for (EventIndex call = first; call < last; ++call) {
            check.step();
            trace.visitWork(call, [&](EventRef work) {
                if (!isGpuWork(work.kind))
                    return;
                ++launched.count;
                launched.total += trace.range(work).duration();
                if (calls.start[call] < firstCall) {
                    firstCall = calls.start[call];
                    launched.first = work;
                }
            });
        }
    }
}

} // namespace

LaunchedWork workOfHelpers(const Trace& trace, EventIndex range, const std::stop_token& stop)
{
    LaunchedWork launched;
    const NvtxTable& nvtx = trace.nvtx();
    const Track& of = nvtx.trackOf(range);
    const HelperThreads helpers(trace);
    if (of.device >= 0 || nvtx.range(range).empty())
        return launched;
    for (const Track& track : trace.apiCalls().tracks) {
        if (helpers.worksFor(track.owner) == of.owner)
            addWork(trace, track, nvtx.range(range), launched, stop);
    }
    return launched;
}

LaunchedWork workOfItsThread(const Trace& trace, EventIndex range, const std::stop_token& stop)
{
    LaunchedWork launched;
    const NvtxTable& nvtx = trace.nvtx();
    const Track& of = nvtx.trackOf(range);
    if (of.device >= 0 || nvtx.range(range).empty())
        return launched;
    for (const Track& track : trace.apiCalls().tracks) {
        if (track.owner == of.owner)
            addWork(trace, track, nvtx.range(range), launched, stop);
    }
    return launched;
}

} // namespace warpline
