#include "core/steps/slow_steps.h"

#include "core/steps/steps.h"

#include <algorithm>

namespace warpline {

std::vector<std::size_t> slowSteps(std::span<const Ns> durations, std::span<const Ns> usual,
    std::size_t firstSteady, const SlowStepLimits& limits)
{
    const auto slowFrom = [&](double factor) {
        std::vector<std::size_t> slow;
        for (std::size_t i = firstSteady; i < durations.size(); ++i) {
            if (usual[i] > 0 && static_cast<double>(durations[i]) >= factor * static_cast<double>(usual[i])
                && durations[i] - usual[i] >= limits.longerBy)
                slow.push_back(i);
        }
        return slow;
    };
    std::vector<std::size_t> slow = slowFrom(limits.factor);
    double fastest = 0; // of the slow, against the usual
    for (const std::size_t i : slow) {
        const double times = static_cast<double>(durations[i]) / static_cast<double>(usual[i]);
        fastest = fastest == 0 ? times : std::min(fastest, times);
    }
    if (fastest > 1)
        slow = slowFrom(std::min(limits.factor, 1 + (fastest - 1) * nearerToSlow));
    if (slow.size() * 3 > durations.size() - firstSteady)
        slow.clear();
    return slow;
}

} // namespace warpline
