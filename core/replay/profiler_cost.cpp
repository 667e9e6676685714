#include "core/replay/replay.h"

#include "core/coverage/intervals.h"
#include "core/coverage/migrations.h"
#include "core/replay/page_fetches.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <limits>
#include <map>

namespace warpline {

namespace {

/// Host time of cudaLaunchKernel without a profiler (ns).
constexpr Ns plainLaunch = 2'200;
/// A call that takes more than this and the plain one is slow for other reasons.
constexpr Ns maxInside = 6'000;
/// Total tracing overhead, as a multiple of the overhead inside the call: low, expected, high. The rest is in
/// calls that are traced but not listed (cudaGetDevice, cudaGetLastError), of which a framework makes several
/// per launch; a host without own time around the call makes none.
constexpr double minAround = 1.0;
constexpr double usualAround = 2.4;
constexpr double maxAround = 3.2;
/// Factor by which allocating calls may be slower in another run, depending on mapped memory.
constexpr double slowerAllocation = 1.5;
/// Overhead of tracing page faults, as a share of the faults' time.
constexpr double usualPages = 1.0;
constexpr double maxPages = 4.0;

Ns times(Ns length, double factor)
{
    return static_cast<Ns>(static_cast<double>(length) * factor);
}

Ns chosen(const ExpectedTime& time, Estimate estimate)
{
    if (estimate == Estimate::Expected)
        return time.expected;
    return estimate == Estimate::Optimistic ? time.high : time.low;
}

/// The profiler's records of its own work in the time of `graph`; loading libraries belongs to the program.
PackedIntervals overheadTimes(const Trace& trace, const ReplayGraph& graph)
{
    const EventTable& table = trace.table(EventKind::Overhead);
    const TimeRange all{graph.begin, std::numeric_limits<Ns>::max()};
    std::vector<TimeRange> ranges;
    for (const Track& track : table.tracks) {
        if (std::ranges::find(graph.threads, track.owner) == graph.threads.end())
            continue;
        for (const EventIndex i : eventsIn(table, track, all)) {
            if (!trace.text(table.name[i]).starts_with("dl"))
                ranges.push_back(table.range(i));
        }
    }
    return unionOf(std::move(ranges), all);
}

/// Removes `share` of the time of page faults from `graph`: from the host's time to fetch pages, and from
/// kernels that miss pages. Work that a cure has made shorter has no faults.
void removePageTracing(const Trace& trace, double share, ReplayGraph& graph)
{
    const double goes = share / (1 + share);
    TimeRange all{graph.begin, graph.begin + 1};
    const std::vector<Ns> fetches = pageFetches(trace, graph);
    for (ReplayCall& call : graph.calls) {
        all.end = std::max(all.end, call.made.end);
        const Ns before = call.previous != noNode ? graph.calls[call.previous].made.end : graph.begin;
        const Ns own = std::max<Ns>(call.made.start - before, 0);
        const Ns waiting
            = waitForPages(fetchesBefore(graph, call, fetches), cost::hostPageFault.expected, own);
        const Ns left = waiting - std::max<Ns>(own - call.gap, 0);
        if (left > 0)
            call.gap -= std::min(call.gap, times(left, goes));
    }
    const GlobalId process = graph.threads.empty() ? GlobalId{0} : processOf(graph.threads.front());
    std::map<std::int32_t, PackedIntervals> ofDevice;
    for (ReplayWork& work : graph.works) {
        if (work.event.kind != EventKind::Kernel)
            continue;
        const std::int32_t device = trace.kernels().trackOf(work.event.index).device;
        const auto [place, added] = ofDevice.try_emplace(device);
        if (added)
            place->second = migrationTime(trace, process, waitsBetweenPages(trace, {process, device}), all);
        const Ns left = place->second.timeIn(work.ran) - std::max<Ns>(work.ran.duration() - work.length, 0);
        if (left > 0)
            work.length -= std::min(work.length, times(left, goes));
    }
}

} // namespace

ProfilerCost profilerCostOf(const Trace& trace, const ReplayGraph& graph)
{
    ProfilerCost cost;
    const Ns inside = std::clamp<Ns>(graph.kernelLaunch - plainLaunch, 0, maxInside);
    cost.call = {times(inside, minAround), times(inside, usualAround), times(inside, maxAround)};
    const MemcpyTable& copies = trace.memcpys();
    cost.pages = std::ranges::any_of(
        copies.copies, [](const CopyAttributes& copy) { return isFaultMigration(copy); });
    return cost;
}

void removeProfilerCost(const Trace& trace, const ProfilerCost& cost, Estimate estimate, ReplayGraph& graph)
{
    CureEdit overhead{.kind = CureKind::ReadyInput, .times = overheadTimes(trace, graph)};
    if (!overhead.times.empty())
        applyEdit(trace, overhead, estimate, graph);
    const Ns all = chosen(cost.call, estimate);
    const Ns inside = cost.call.low;
    for (ReplayCall& call : graph.calls) {
        if (!call.launches || call.removed)
            continue;
        // The length of a waiting call follows from what it waits for.
        call.length -= std::min(call.length, inside);
        // The overhead around it may be before the small calls that accompany it.
        Ns around = all - inside;
        for (ReplayCall* each = &call; around > 0;) {
            const Ns goes = std::min(each->gap, around);
            each->gap -= goes;
            around -= goes;
            if (each->previous == noNode || graph.calls[each->previous].launches)
                break;
            each = &graph.calls[each->previous];
        }
    }
    for (ReplayCall& call : graph.calls) {
        if (estimate == Estimate::Pessimistic && allocates(call.kind) && !call.removed)
            call.length = times(call.length, slowerAllocation);
    }
    // Without tracing of its nodes a graph has the gaps of a graph that is not recorded.
    for (ReplayWork& work : graph.works) {
        const bool follows = graph.nodeGap > 0 && work.previous != noNode && !work.beginsGraph
            && work.call != noNode && graph.works[work.previous].call == work.call;
        if (follows && estimate != Estimate::Pessimistic)
            work.gap = std::min(work.gap, cost::nodeGap.expected);
    }
    if (cost.pages && estimate != Estimate::Pessimistic)
        removePageTracing(trace, estimate == Estimate::Expected ? usualPages : maxPages, graph);
}

} // namespace warpline
