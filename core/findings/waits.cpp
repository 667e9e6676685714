#include "core/findings/waits.h"

#include <algorithm>

namespace warpline {

WaitCost costOf(const std::vector<const GpuFacts*>& gpus, TimeRange wait)
{
    WaitCost cost;
    for (const GpuFacts* const gpu : gpus) {
        const auto next = std::ranges::upper_bound(
            gpu->gaps, wait.end, {}, [](const IdleGap& gap) { return gap.range.end; });
        if (next != gpu->gaps.end() && next->range.start <= wait.end
            && next->range.duration() > cost.idle.duration())
            cost.idle = next->range;
    }
    if (!cost.idle.empty())
        cost.lost = {std::max(cost.idle.start, cost.idle.end - wait.duration()), cost.idle.end};
    return cost;
}

} // namespace warpline
