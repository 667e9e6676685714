#include "core/analysis/idle_gaps.h"

#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/derive/communication.h"
#include "core/store/lane_merge.h"
#include "core/store/trace.h"

#include <algorithm>
#include <utility>

namespace warpline {

GapCause causeOf(const Trace& trace, TraceAnalysis& facts, const IdleGap& gap)
{
    GapCause cause;
    cause.call = facts.callOf(gap.next);
    if (cause.call == noIndex)
        return cause;
    cause.known = true;
    cause.thread = facts.threadOf(cause.call);
    const bool isLast = trace.range(gap.next).end <= gap.range.start;
    const Ns returned = isLast ? gap.range.end : trace.apiCalls().end(cause.call);
    cause.host = {gap.range.start, std::clamp(returned, gap.range.start, gap.range.end)};
    cause.parts = facts.host(cause.thread).split(cause.host);
    cause.parts[indexOf(IdleCause::Queued)] += gap.range.end - cause.host.end;
    cause.main = static_cast<IdleCause>(std::ranges::max_element(cause.parts) - cause.parts.begin());
    return cause;
}

namespace {

/// From the first steady step to the end of the last one; empty: there are no steps.
TimeRange steadyTime(const StepSeries& steps)
{
    return steps.empty() ? TimeRange{} : TimeRange{steps.ranges[steps.firstSteady].start, steps.span().end};
}

} // namespace

TimeRange behindLastWork(TraceAnalysis& facts, GlobalId process, Ns from)
{
    const TimeRange steady = steadyTime(facts.steps(process));
    return steady.contains(from) ? TimeRange{from, steady.end} : TimeRange{from, from};
}

std::vector<IdleGap> edgeGaps(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu)
{
    std::vector<IdleGap> edges;
    const StepSeries& steps = facts.steps(gpu.process);
    if (steps.empty() || gpu.busy.empty())
        return edges;
    const TimeRange steady = steadyTime(steps);
    // Until the first launch the GPU may still run work that was launched before the recording.
    if (const EventIndex call = facts.callOf(gpu.work.front()); call != noIndex) {
        const TimeRange before{steady.start, std::min(gpu.busy.front().start, trace.apiCalls().end(call))};
        if (before.start < before.end)
            edges.push_back({before, Links::unpack(gpu.work.front())});
    }
    const TimeRange behind = behindLastWork(facts, gpu.process, gpu.busy.back().end);
    const auto isLast = [&](std::uint32_t work) {
        return trace.range(Links::unpack(work)).end <= behind.start && facts.callOf(work) != noIndex;
    };
    const auto last = std::find_if(gpu.work.rbegin(), gpu.work.rend(), isLast);
    if (!behind.empty() && last != gpu.work.rend())
        edges.push_back({behind, Links::unpack(*last)});
    return edges;
}

Ns cutToUsual(std::vector<TimeRange>& parts, Ns usual, bool isFirst)
{
    if (isFirst)
        std::ranges::reverse(parts);
    Ns left = usual;
    for (TimeRange& part : parts) {
        const Ns kept = std::min(left, part.duration());
        part = isFirst ? TimeRange{part.end - kept, part.end} : TimeRange{part.start, part.start + kept};
        left -= kept;
    }
    std::erase_if(parts, [](TimeRange part) { return part.empty(); });
    if (isFirst)
        std::ranges::reverse(parts);
    return usual - left;
}

namespace {

/// Union of the work of all GPUs.
PackedIntervals busyOf(const std::vector<GpuFacts>& gpus)
{
    std::vector<PackedIntervals> busy;
    for (const GpuFacts& gpu : gpus)
        busy.push_back(gpu.busy);
    return unitedAll(std::move(busy));
}

} // namespace

PackedIntervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window,
    Ns brief, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    std::vector<LaneRun> runs;
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, window);
        if (first < last) // none follows on the last
            runs.push_back({EventKind::Kernel, &kernels, first, last - 1});
    }
    PackedUnion behind;
    behind.reserve(kernels.size());
    StopCheck check(stop);
    forEachByStart(std::move(runs), [&](EventKind, const EventTable&, EventIndex i) {
        check.step();
        const Ns end = kernels.end(i);
        if (kernels.start[i + 1] > end && kernels.duration[i] < brief && kernels.launch(i).graphNodeId == 0
            && !communicates[i])
            behind.add({end, std::min(end + launchWorth, kernels.start[i + 1])});
    });
    const PackedIntervals after = behind.done(window, stop);
    const PackedIntervals busy = busyOf(gpus);
    PackedIntervals::Builder idle;
    idle.reserve(after.size() + busy.size()); // kernels that follow one another are one range of `after`
    forEachDifference(after, busy, [&](TimeRange range) { idle.add(range); });
    return idle.done().within(window);
}

} // namespace warpline
