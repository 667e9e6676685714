#include "core/steps/slow_steps.h"

#include "core/steps/steps.h"

namespace warpline {

std::size_t warmUpSteps(std::span<const Ns> durations)
{
    const Ns usual = medianOf({durations.begin(), durations.end()});
    // Warm-up ends where a step takes about as long as most do.
    std::size_t first = 0;
    while (first < durations.size() / 3 && durations[first] > usual + usual / 2)
        ++first;
    return first;
}

std::vector<std::size_t> slowSteps(std::span<const Ns> durations, std::span<const Ns> usual,
    std::size_t firstSteady, const SlowStepLimits& limits)
{
    std::vector<std::size_t> slow;
    for (std::size_t i = firstSteady; i < durations.size(); ++i) {
        if (usual[i] > 0 && static_cast<double>(durations[i]) >= limits.factor * static_cast<double>(usual[i])
            && durations[i] - usual[i] >= limits.longerBy)
            slow.push_back(i);
    }
    if (slow.size() * 3 > durations.size() - firstSteady)
        slow.clear();
    return slow;
}

} // namespace warpline
