#include "core/steps/outlying_steps.h"

#include <algorithm>

namespace warpline {

namespace {

std::vector<OutlyingStep> slowIn(const StepSeries& series, const SlowStepLimits& limits)
{
    std::vector<Ns> lengths;
    for (const TimeRange& range : series.ranges)
        lengths.push_back(range.duration());
    std::vector<OutlyingStep> slow;
    for (const std::size_t i : slowSteps(lengths, series.typical, series.firstSteady, limits))
        slow.push_back({i, false, lengths[i], series.typical[i]});
    return slow;
}

/// The time of `range` in ranges of `slow` on the host.
Ns timeInSlowRanges(const StepSeries& host, const std::vector<OutlyingStep>& slow, TimeRange range)
{
    auto next = std::ranges::partition_point(
        slow, [&](const OutlyingStep& step) { return host.ranges[step.index].end <= range.start; });
    Ns time = 0;
    for (; next != slow.end() && host.ranges[next->index].start < range.end; ++next)
        time += host.ranges[next->index].clippedTo(range).duration();
    return time;
}

/// True when the GPU goes on as always while the range of `slow` takes long: it had work in store. The time
/// would have to show in the step itself or in the one before, which lasts until the first work of this one.
/// A call that waits for what is in store takes longer than what the GPU then waits: a tenth of it will do.
bool isHidden(const GpuSteps& steps, const OutlyingStep& slow)
{
    constexpr Ns leastFelt = 10; ///< one in so many
    const auto at = std::ranges::lower_bound(steps.indexes, slow.index);
    if (at == steps.indexes.begin() || at == steps.indexes.end() || *at != slow.index)
        return false; // not known
    const auto place = static_cast<std::size_t>(at - steps.indexes.begin());
    Ns longer = 0;
    for (const std::size_t i : {place - 1, place})
        longer += std::max<Ns>(0, steps.gpu.ranges[i].duration() - steps.gpu.typical[i]);
    return longer * leastFelt < slow.length - slow.usual;
}

/// Takes those out that the GPU does not feel; with any of them the last step, of which nothing tells how
/// long the GPU takes.
void leaveOutHidden(const GpuSteps& steps, std::vector<OutlyingStep>& slow)
{
    const std::size_t hidden
        = std::erase_if(slow, [&](const OutlyingStep& step) { return isHidden(steps, step); });
    if (hidden > 0)
        std::erase_if(slow, [&](const OutlyingStep& step) { return step.index == steps.lastIndex; });
}

} // namespace

std::vector<OutlyingStep> outlyingSteps(const GpuSteps& steps, const SlowStepLimits& limits)
{
    std::vector<OutlyingStep> onHost;
    if (steps.foundBy == StepSource::Nvtx)
        onHost = slowIn(steps.host, limits);
    // What is warm-up on the GPU is none.
    const auto warm = steps.indexes.begin() + static_cast<std::ptrdiff_t>(steps.gpu.firstSteady);
    std::erase_if(onHost, [&](const OutlyingStep& step) {
        return std::binary_search(steps.indexes.begin(), warm, step.index);
    });
    leaveOutHidden(steps, onHost);
    std::vector<OutlyingStep> all = onHost;
    for (OutlyingStep step : slowIn(steps.gpu, limits)) {
        const TimeRange range = steps.gpu.ranges[step.index];
        step.index = steps.indexes[step.index];
        step.onGpu = true;
        const bool isKnown = std::ranges::binary_search(
            onHost, step.index, {}, [](const OutlyingStep& each) { return each.index; });
        // Half of what it takes longer passes in a slow range, its own or the next one's: that is the cause.
        if (!isKnown && timeInSlowRanges(steps.host, onHost, range) * 2 < step.length - step.usual)
            all.push_back(step);
    }
    std::ranges::sort(all, {}, &OutlyingStep::index);
    return all;
}

} // namespace warpline
