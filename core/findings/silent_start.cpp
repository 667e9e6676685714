#include "core/findings/silent_start.h"

#include "core/analysis/first_launches.h"
#include "core/analysis/time_by_name.h"
#include "core/base/share.h"
#include "core/coverage/packed_intervals.h"
#include "core/derive/call_kinds.h"
#include "core/derive/tracks_of.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/library_loads.h"
#include "core/store/event_loops.h"
#include "core/store/part_of_recording.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpline {

namespace {

constexpr Ns longCall = 1'000'000; ///< a call that makes a context takes longer
constexpr Ns shortest = 20'000'000; ///< the driver needs more to make a context
constexpr Ns longest = 2'000'000'000; ///< a longer time is hardly the start alone
constexpr double named = 0.3; ///< of the time: then its use is known
constexpr double ofDriver = 0.3; ///< of the time: the driver's system calls, where they were recorded

/// True for calls that work before there is a context, and do not make one.
bool needsNoContext(std::string_view call)
{
    static constexpr std::array begins{std::string_view("cuInit"), std::string_view("cuModuleGetLoadingMode"),
        std::string_view("cuDriverGetVersion"), std::string_view("cuGetProcAddress"),
        std::string_view("cuDeviceGet"), std::string_view("cuDevicePrimaryCtxSetFlags"),
        std::string_view("cuDevicePrimaryCtxGetState"), std::string_view("cudaGetDevice"),
        std::string_view("cudaDeviceGetAttribute"), std::string_view("cudaDriverGetVersion"),
        std::string_view("cudaRuntimeGetVersion"), std::string_view("cudaGetLastError")};
    return std::ranges::any_of(begins, [&](std::string_view each) { return call.starts_with(each); });
}

/// True where recorded events of `thread` show another use of the time `when`.
bool isNamed(const Trace& trace, GlobalId thread, TimeRange when, const std::stop_token& stop)
{
    const Intervals parts{when};
    TimeByName sums;
    addOwnRanges(trace, thread, parts, sums, stop);
    addCommunication(trace, thread, parts, sums, stop);
    const EventTable& overhead = trace.table(EventKind::Overhead);
    std::vector<TimeRange> loads;
    for (const EventIndex load : libraryLoads(trace, stop)) {
        if (overhead.trackOf(load).owner == thread)
            loads.push_back(overhead.range(load));
    }
    const Ns loading = totalTime(unionOf(std::move(loads), when, stop));
    if (shareOf(sumOf(sums) + loading, when.duration()) >= named)
        return true;
    sums.clear();
    addOsCalls(trace, thread, parts, sums);
    if (trace.table(EventKind::OsRuntime).empty())
        return false;
    Ns driver = 0;
    for (const auto& [name, time] : sums)
        driver += trace.text(name) == "ioctl" ? time : 0;
    return shareOf(driver, when.duration()) < ofDriver;
}

/// True where another thread of the process makes the first call, or a long one before `time`.
bool othersBegin(const Trace& trace, GlobalId thread, Ns first, Ns time, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    for (const Track& track : TracksOf::ofProcess(trace, EventKind::ApiCall, thread)) {
        if (track.owner == thread || track.laneCount == 0)
            continue;
        const auto [begin, end] = calls.touching(calls.lanes[track.firstLane], {trace.session.start, time});
        for (const EventIndex i : stoppable(begin, end, stop)) {
            if (calls.start[i] < first || calls.duration[i] >= longCall)
                return true;
        }
    }
    return false;
}

} // namespace

SilentStart silentStartOf(const Trace& trace, GlobalId thread, const std::stop_token& stop)
{
    if (const auto part = partOf(trace.info); part && part->beginsLater())
        return {}; // its first calls are not the program's
    const EventTable& calls = trace.apiCalls();
    for (const Track& track : TracksOf(trace, EventKind::ApiCall, thread)) {
        if (track.laneCount == 0 || calls.lanes[track.firstLane].count == 0)
            continue;
        const Lane& lane = calls.lanes[track.firstLane];
        EventIndex last = noIndex;
        for (const EventIndex i : stoppable(lane.first, lane.first + lane.count, stop)) {
            if (needsNoContext(trace.text(calls.name[i]))) {
                last = i;
                continue;
            }
            if (last == noIndex || calls.duration[i] >= longCall)
                return {};
            const TimeRange when{calls.end(last), calls.start[i]};
            const bool fits = when.duration() >= shortest && when.duration() <= longest;
            if (!fits || othersBegin(trace, thread, calls.start[lane.first], when.end, stop)
                || isNamed(trace, thread, when, stop))
                return {};
            return {when, i};
        }
    }
    return {};
}

Intervals silentStarts(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    std::vector<TimeRange> starts;
    for (const GlobalId thread : callingThreads(trace)) {
        if (const TimeRange when = silentStartOf(trace, thread, stop).when.clippedTo(window); !when.empty())
            starts.push_back(when);
    }
    return unionOf(std::move(starts), window, stop);
}

} // namespace warpline
