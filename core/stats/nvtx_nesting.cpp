#include "core/stats/nvtx_nesting.h"

#include "core/base/sorted_runs.h"
#include "core/stats/names.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace warpline {

namespace {

struct WorkingCall {
    EventIndex call;
    EventIndex linked;
};

/// Calls with GPU work by start, for each thread.
std::map<GlobalId, std::vector<WorkingCall>> callsByThread(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop)
{
    std::map<GlobalId, std::vector<WorkingCall>> threads;
    if (!trace.links)
        return threads;
    const EventTable& api = trace.apiCalls();
    for (const Track& track : api.tracks) {
        std::vector<WorkingCall>& calls = threads[track.owner];
        for (const EventIndex i : eventsOf(track, stop)) {
            if (trace.links->firstWork[i] != noIndex)
                calls.push_back({i, i});
        }
    }
    for (const auto& [linked, twin] : twins.all())
        threads[api.trackOf(twin).owner].push_back({twin, linked});
    const auto startOf = [&](const WorkingCall& call) { return api.start[call.call]; };
    for (auto& [thread, calls] : threads) {
        if (!std::ranges::is_sorted(calls, {}, startOf))
            std::ranges::stable_sort(calls, {}, startOf);
    }
    return threads;
}

void visitThread(const Trace& trace, std::span<const WorkingCall> calls, std::span<const EventIndex> ranges,
    const std::stop_token& stop, const std::function<void(const CallInRanges&)>& visit)
{
    const NvtxTable& nvtx = trace.nvtx();
    const EventTable& api = trace.apiCalls();
    constexpr Ns never = std::numeric_limits<Ns>::max();
    std::vector<EventIndex> open; // may hold some that end before the call does
    Ns firstEnd = never; // of these
    std::vector<EventIndex> around;
    std::size_t next = 0;
    for (const WorkingCall& call : stoppableItems(calls, stop)) {
        const TimeRange time = api.range(call.call);
        for (; next < ranges.size() && nvtx.start[ranges[next]] <= time.start; ++next) {
            open.push_back(ranges[next]);
            firstEnd = std::min(firstEnd, nvtx.end(ranges[next]));
        }
        if (firstEnd < time.start) {
            std::erase_if(open, [&](EventIndex range) { return nvtx.end(range) < time.start; });
            firstEnd = never;
            for (const EventIndex range : open)
                firstEnd = std::min(firstEnd, nvtx.end(range));
        }
        if (firstEnd >= time.end) {
            visit({call.call, call.linked, open});
            continue;
        }
        around.clear();
        for (const EventIndex range : open) {
            if (nvtx.end(range) >= time.end)
                around.push_back(range);
        }
        visit({call.call, call.linked, around});
    }
}

} // namespace

bool isClosedRange(const NvtxTable& nvtx, EventIndex range)
{
    const NvtxAttributes& attributes = nvtx.attributesOf(range);
    return attributes.eventType != nvtxMark && !attributes.open;
}

bool startsOutside(const NvtxTable& nvtx, EventIndex a, EventIndex b)
{
    if (nvtx.start[a] != nvtx.start[b])
        return nvtx.start[a] < nvtx.start[b];
    if (nvtx.duration[a] != nvtx.duration[b])
        return nvtx.duration[a] > nvtx.duration[b];
    return nvtx.sourceRow[a] < nvtx.sourceRow[b];
}

std::map<GlobalId, std::vector<EventIndex>> rangesByThread(
    const NvtxTable& nvtx, const std::stop_token& stop, const TrackFilter& covers)
{
    std::map<GlobalId, std::vector<EventIndex>> threads;
    for (const Track& track : nvtx.tracks) {
        if (!passes(covers, track))
            continue;
        std::vector<EventIndex>& ranges = threads[track.owner];
        for (const EventIndex i : eventsOf(track, stop)) {
            if (isClosedRange(nvtx, i))
                ranges.push_back(i);
        }
    }
    std::erase_if(threads, [](const auto& thread) { return thread.second.empty(); });
    for (auto& [thread, ranges] : threads)
        sortRuns(
            ranges, [&](EventIndex a, EventIndex b) { return startsOutside(nvtx, a, b); }, stop);
    return threads;
}

NvtxNesting nestNvtx(const Trace& trace, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    NvtxNesting nesting;
    nesting.parent.assign(nvtx.size(), noIndex);
    nesting.level.assign(nvtx.size(), 0);
    for (const auto& [thread, ranges] : rangesByThread(nvtx, stop)) {
        std::vector<Ns> ends; // of all that are open, the latest first
        std::vector<EventIndex> last; // those of which no later one ends as late; so the latest end first
        for (const EventIndex range : stoppableItems(ranges, stop)) {
            const Ns end = nvtx.end(range);
            while (!ends.empty() && ends.back() <= nvtx.start[range])
                ends.pop_back();
            while (!last.empty() && nvtx.end(last.back()) <= nvtx.start[range])
                last.pop_back();
            const auto inside = std::ranges::upper_bound(ends, end, std::greater{});
            nesting.level[range] = static_cast<std::uint32_t>(inside - ends.begin());
            ends.insert(inside, end);
            while (!last.empty() && nvtx.end(last.back()) < end)
                last.pop_back();
            nesting.parent[range] = last.empty() ? noIndex : last.back();
            if (!last.empty() && nvtx.end(last.back()) == end)
                last.pop_back();
            last.push_back(range);
        }
    }
    return nesting;
}

void forEachCallInRanges(const Trace& trace, const CallTwins& twins, const std::stop_token& stop,
    const std::function<void(const CallInRanges&)>& visit)
{
    const auto ranges = rangesByThread(trace.nvtx(), stop);
    for (const auto& [thread, calls] : callsByThread(trace, twins, stop)) {
        const auto ofThread = ranges.find(thread);
        visitThread(trace, calls,
            ofThread != ranges.end() ? std::span<const EventIndex>(ofThread->second)
                                     : std::span<const EventIndex>{},
            stop, visit);
    }
}

std::optional<TimeRange> projectedWork(const Trace& trace, EventIndex call)
{
    std::optional<TimeRange> work;
    trace.visitWork(call, [&](EventRef event) {
        if (isGpuWork(event.kind) && event.kind != EventKind::GraphTrace)
            work = work ? work->unitedWith(trace.range(event)) : trace.range(event);
    });
    return work;
}

std::vector<NvtxProjection> projectForTables(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop)
{
    const EventTable& api = trace.apiCalls();
    const NvtxTable& nvtx = trace.nvtx();
    std::vector<NvtxProjection> projections(nvtx.size());
    forEachCallInRanges(trace, twins, stop, [&](const CallInRanges& at) {
        if (at.ranges.empty())
            return;
        const std::optional<TimeRange> work = projectedWork(trace, at.linked);
        if (!work)
            return;
        for (const EventIndex range : at.ranges) {
            NvtxProjection& projection = projections[range];
            if (projection.operations == 0 || work->start < projection.projected.start)
                projection.firstCall = at.linked;
            if (projection.operations == 0 || work->end > projection.projected.end)
                projection.lastCall = at.linked;
            projection.projected = projection.operations > 0 ? projection.projected.unitedWith(*work) : *work;
            // Twins share their correlation id, which counts once.
            const bool linkedInside
                = nvtx.start[range] <= api.start[at.linked] && nvtx.end(range) >= api.end(at.linked);
            if (at.call == at.linked || !linkedInside)
                ++projection.operations;
        }
    });
    return projections;
}

std::vector<std::uint32_t> projectedChildren(
    const std::vector<NvtxProjection>& projections, const NvtxNesting& nesting)
{
    std::vector<std::uint32_t> children(projections.size(), 0);
    for (std::size_t i = 0; i < projections.size(); ++i) {
        if (projections[i].operations > 0 && nesting.parent[i] != noIndex)
            ++children[nesting.parent[i]];
    }
    return children;
}

std::vector<EventIndex> innermostRanges(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop)
{
    std::vector<EventIndex> innermost(trace.kernels().size(), noIndex);
    forEachCallInRanges(trace, twins, stop, [&](const CallInRanges& at) {
        if (at.ranges.empty())
            return;
        trace.visitWork(at.linked, [&](EventRef event) {
            if (event.kind == EventKind::Kernel)
                innermost[event.index] = at.ranges.back();
        });
    });
    return innermost;
}

std::vector<EventIndex> innermostRangesOfCalls(
    const Trace& trace, const CallTwins& twins, const std::stop_token& stop)
{
    std::vector<EventIndex> innermost(trace.apiCalls().size(), noIndex);
    forEachCallInRanges(trace, twins, stop, [&](const CallInRanges& at) {
        if (!at.ranges.empty())
            innermost[at.call] = at.ranges.back();
    });
    return innermost;
}

} // namespace warpline
