#include "core/replay/profiler_cost.h"

#include "core/coverage/intervals.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

/// What cudaLaunchKernel takes the host without a profiler.
constexpr Ns plainLaunch = 2'200;
/// A call that takes more than this and the plain one is slow for other reasons.
constexpr Ns mostInside = 6'000;
/// What tracing costs in all, as a multiple of what it adds inside of the call: low, expected, high.
constexpr double leastAround = 1.0;
constexpr double usualAround = 1.4;
constexpr double mostAround = 3.0;
/// How much longer calls that allocate may take in another run: it depends on what memory is mapped.
constexpr double slowerAllocation = 1.25;
/// Time of what faults that tracing the faults adds.
constexpr double usualPages = 0.35;
constexpr double mostPages = 0.70;

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

/// The profiler's records of its own work in the time of `graph`; loading libraries is the program's.
PackedIntervals overheadTimes(const Trace& trace, const ReplayGraph& graph)
{
    const EventTable& table = trace.table(EventKind::Overhead);
    const TimeRange all{graph.begin, std::numeric_limits<Ns>::max()};
    std::vector<TimeRange> ranges;
    for (const Track& track : table.tracks) {
        if (std::ranges::find(graph.threads, track.owner) == graph.threads.end())
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = table.touching(lane, all);
            for (EventIndex i = first; i < last; ++i) {
                if (!trace.text(table.name[i]).starts_with("dl"))
                    ranges.push_back(table.range(i));
            }
        }
    }
    return unionOf(std::move(ranges), all);
}

} // namespace

ProfilerCost profilerCostOf(const Trace& trace, const ReplayGraph& graph)
{
    ProfilerCost cost;
    const Ns inside = std::clamp<Ns>(graph.kernelLaunch - plainLaunch, 0, mostInside);
    cost.call = {times(inside, leastAround), times(inside, usualAround), times(inside, mostAround)};
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
        // A call that waits is as long as what it waits for.
        call.length -= std::min(call.length, inside);
        // What is around it may lie before the small calls that come with it.
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
    if (!cost.pages || estimate == Estimate::Pessimistic)
        return;
    const double kept = 1 / (1 + (estimate == Estimate::Expected ? usualPages : mostPages));
    for (ReplayCall& call : graph.calls)
        call.gap = times(call.gap, kept);
    for (ReplayWork& work : graph.works) {
        if (work.event.kind == EventKind::Kernel)
            work.length = times(work.length, kept);
    }
}

} // namespace warpline
