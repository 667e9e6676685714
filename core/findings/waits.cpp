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

PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu)
{
    PackedIntervals others;
    for (const GpuFacts& other : facts.gpus()) {
        if (pidOf(other.process) != pidOf(gpu.process)
            && gpuNumber(trace, other.process, other.device) == gpuNumber(trace, gpu.process, gpu.device))
            others = united(others, other.busy);
    }
    return others;
}

PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, GlobalId process)
{
    std::optional<PackedIntervals> all;
    for (const GpuFacts& gpu : facts.gpus()) {
        if (pidOf(gpu.process) != pidOf(process))
            continue;
        const PackedIntervals others = timeOfOthers(trace, facts, gpu);
        all = all ? PackedIntervals(intersection(*all, others)) : others;
    }
    return all.value_or(PackedIntervals());
}

Intervals lostIdleOf(const Trace& trace, TraceAnalysis& facts, GlobalId process, const Intervals& idle)
{
    return difference(clipped(idle, measuredRangeOf(facts, process)), timeOfOthers(trace, facts, process));
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
    const std::uint32_t pid = pidOf(trace.track(trace.trackOf(call)).owner);
    return std::ranges::none_of(facts.gpus(), [&](const GpuFacts& gpu) {
        return pidOf(gpu.process) == pid && !gpu.compute.empty()
            && gpu.compute.back().end > trace.range(call).end;
    });
}

} // namespace warpline
