#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

// The one definition of a step out of proportion: for the rule that finds them, the table of steps and the
// pane.

/// From when on a step is slow; the thresholds of nvtx_outlier_steps.
struct SlowStepLimits {
    double factor = 1.5; ///< times the typical length of similar steps
    /// ... and so much longer: short steps, as replays of a graph, vary by more than half unnoticed.
    Ns longerBy = 500'000;
};

/// Steps closer to the fastest slow step than to the usual time are slow, too: checkpoints every fifth step
/// may take only 1.4 times the usual time.
inline constexpr double nearerToSlow = 0.5;

/// The indexes of the steps from `firstSteady` on that are slow by `limits` relative to their `usual` time; a
/// step without one (0) is skipped. Empty when more than a third of the steady steps would be slow. `usual`
/// is as long as `durations`.
std::vector<std::size_t> slowSteps(std::span<const Ns> durations, std::span<const Ns> usual,
    std::size_t firstSteady, const SlowStepLimits& limits);

} // namespace warpline
