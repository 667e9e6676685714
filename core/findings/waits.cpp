#include "core/findings/waits.h"

#include "core/coverage/interval_times.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace warpline {

TimeRange measuredRangeOf(TraceAnalysis& facts, GlobalId process)
{
    TimeRange measured = facts.measuredRange();
    if (const StepSeries& steps = facts.steps(process); !steps.empty())
        measured.start = std::clamp(steps.ranges[steps.firstSteady].start, measured.start, measured.end);
    return measured;
}

PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu, TimeRange window)
{
    const SharedGpu& all = facts.sharingOf(gpuNumber(trace, gpu.process, gpu.device));
    if (!all.isShared)
        return {};
    PackedIntervals others = all.any.within(window);
    for (const GpuFacts* const own : facts.gpusOf(gpu.process)) {
        if (gpuNumber(trace, own->process, own->device) == gpuNumber(trace, gpu.process, gpu.device))
            others = packedDifference(others, own->busy.within(window));
    }
    return united(others, all.several.within(window));
}

PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, GlobalId process, TimeRange window)
{
    std::optional<PackedIntervals> all;
    for (const GpuFacts* const gpu : facts.gpusOf(process)) {
        const PackedIntervals others = timeOfOthers(trace, facts, *gpu, window);
        all = all ? PackedIntervals(intersection(*all, others)) : others;
        if (all->empty())
            break;
    }
    return all.value_or(PackedIntervals());
}

Intervals lostIdleOf(const Trace& trace, TraceAnalysis& facts, GlobalId process, const Intervals& idle)
{
    const Intervals measured = clipped(idle, measuredRangeOf(facts, process));
    if (measured.empty())
        return measured;
    return difference(
        measured, timeOfOthers(trace, facts, process, {measured.front().start, measured.back().end}));
}

WaitCost costOf(const std::vector<const GpuFacts*>& gpus, TimeRange wait)
{
    WaitCost cost;
    for (const GpuFacts* const gpu : gpus) {
        // The first busy range after the wait ends the gap in which the wait may lie.
        const auto next = std::ranges::upper_bound(gpu->busy, wait.end, {}, &TimeRange::start);
        if (next == gpu->busy.begin() || next == gpu->busy.end())
            continue;
        const TimeRange gap{std::prev(next)->end, next->start};
        if (gap.start <= wait.end && gap.duration() > cost.idle.duration())
            cost.idle = gap;
    }
    if (!cost.idle.empty())
        cost.lost = {std::max(cost.idle.start, cost.idle.end - wait.duration()), cost.idle.end};
    return cost;
}

bool isLastWait(const Trace& trace, TraceAnalysis& facts, EventRef call)
{
    const GlobalId process = trace.track(trace.trackOf(call)).owner;
    return std::ranges::none_of(facts.gpusOf(process), [&](const GpuFacts* gpu) {
        return !gpu->compute.empty() && gpu->compute.back().end > trace.range(call).end;
    });
}

} // namespace warpline
