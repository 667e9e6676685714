#include "core/findings/waits.h"
#include "core/store/trace.h"
#include <algorithm>
#include <iterator>

namespace warpline {

WaitCost costOf(const std::vector<const GpuFacts*>& gpus, TimeRange wait)
{
    WaitCost cost;
    for (const GpuFacts* const gpu : gpus) {
        // The first stretch that begins after the wait ends the gap that the wait may lie in.
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
