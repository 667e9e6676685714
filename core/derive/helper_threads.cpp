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

/// The GPU work that the threads which `takes(thread)` selects launch while `range` is open.
template <typename Takes>
LaunchedWork workDuring(const Trace& trace, EventIndex range, const std::stop_token& stop, Takes takes)
{
    LaunchedWork launched;
    const NvtxTable& nvtx = trace.nvtx();
    if (nvtx.trackOf(range).device >= 0 || nvtx.range(range).empty())
        return launched;
    const EventTable& calls = trace.apiCalls();
    Ns firstCall = std::numeric_limits<Ns>::max();
    StopCheck check(stop);
    for (const Track& track : calls.tracks) {
        if (!takes(track.owner))
            continue;
        for (const auto& [first, last] : callsWithin(trace, track, nvtx.range(range))) {
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
    return launched;
}

} // namespace

LaunchedWork workOfHelpers(const Trace& trace, EventIndex range, const std::stop_token& stop)
{
    const HelperThreads helpers(trace);
    const GlobalId leader = trace.nvtx().trackOf(range).owner;
    return workDuring(
        trace, range, stop, [&](GlobalId thread) { return helpers.worksFor(thread) == leader; });
}

LaunchedWork workOfItsThread(const Trace& trace, EventIndex range, const std::stop_token& stop)
{
    const GlobalId own = trace.nvtx().trackOf(range).owner;
    return workDuring(trace, range, stop, [own](GlobalId thread) { return thread == own; });
}

} // namespace warpline
