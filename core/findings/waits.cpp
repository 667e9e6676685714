#include "core/findings/waits.h"

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

} // namespace warpline
