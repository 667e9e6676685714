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
        slow.push_back({i, false, lengths[i], series.typical[i], lengths[i] - series.typical[i]});
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

/// The shortest time from the start of a step's range to its first work while the GPU is free, such as for
/// loading input.
Ns shortestLead(const GpuSteps& steps)
{
    Ns shortest = steps.last.start - steps.host.ranges[steps.lastIndex].start;
    for (std::size_t i = 0; i < steps.gpu.size(); ++i)
        shortest = std::min(shortest, steps.gpu.ranges[i].start - steps.host.ranges[steps.indexes[i]].start);
    return std::max<Ns>(0, shortest);
}

} // namespace

std::optional<Ns> longerOnGpu(const GpuSteps& steps, std::size_t index)
{
    const auto excess = [&](std::size_t place, Ns length) {
        const Ns typical = steps.gpu.typical[std::min(place, steps.gpu.size() - 1)];
        return std::max<Ns>(0, length - (typical > 0 ? typical : steps.gpu.median));
    };
    const auto at = std::ranges::lower_bound(steps.indexes, index);
    const auto place = static_cast<std::size_t>(at - steps.indexes.begin());
    if (place == 0)
        return {};
    const Ns before = excess(place - 1, steps.gpu.ranges[place - 1].duration());
    if (at != steps.indexes.end())
        return *at == index ? std::optional(before + excess(place, steps.gpu.ranges[place].duration()))
                            : std::nullopt;
    if (steps.last.empty() || index != steps.lastIndex)
        return {};
    const Ns next = steps.host.ranges[index].end + shortestLead(steps);
    return before + excess(place, std::max(steps.last.end, next) - steps.last.start);
}

bool isHiddenFromGpu(const GpuSteps& steps, std::size_t index, Ns longer)
{
    constexpr Ns minFeltDivisor = 10; // one in so many
    const std::optional<Ns> onGpu = longerOnGpu(steps, index);
    return onGpu && *onGpu * minFeltDivisor < longer;
}

std::vector<OutlyingStep> outlyingSteps(const GpuSteps& steps, const SlowStepLimits& limits)
{
    std::vector<OutlyingStep> onHost;
    if (steps.foundBy == StepSource::Nvtx)
        onHost = slowIn(steps.host, limits);
    // Warm-up on the GPU does not count.
    const auto warm = steps.indexes.begin() + static_cast<std::ptrdiff_t>(steps.gpu.firstSteady);
    std::erase_if(onHost, [&](const OutlyingStep& step) {
        return std::binary_search(steps.indexes.begin(), warm, step.index);
    });
    std::erase_if(onHost, [&](const OutlyingStep& step) {
        return isHiddenFromGpu(steps, step.index, step.length - step.usual);
    });
    for (OutlyingStep& step : onHost)
        step.felt = std::min(step.felt, longerOnGpu(steps, step.index).value_or(step.felt));
    std::vector<OutlyingStep> all = onHost;
    for (OutlyingStep step : slowIn(steps.gpu, limits)) {
        const TimeRange range = steps.gpu.ranges[step.index];
        step.index = steps.indexes[step.index];
        step.onGpu = true;
        const bool isKnown = std::ranges::binary_search(
            onHost, step.index, {}, [](const OutlyingStep& each) { return each.index; });
        // If half of the excess passes in a slow range, its own or the next one's, that is the cause.
        if (!isKnown && timeInSlowRanges(steps.host, onHost, range) * 2 < step.length - step.usual)
            all.push_back(step);
    }
    std::ranges::sort(all, {}, &OutlyingStep::index);
    return all;
}

} // namespace warpline
