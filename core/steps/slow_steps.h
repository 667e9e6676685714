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
    double factor = 1.5; ///< times what steps like it usually take
    /// ... and so much longer: short steps, as replays of a graph, vary by more than half unnoticed.
    Ns longerBy = 500'000;
};

/// Where steps are slow, those that are nearer to the fastest of these than to the usual time are slow as
/// well: checkpoints every fifth step take 1.4 times the usual time now and then.
inline constexpr double nearerToSlow = 0.5;

/// How many leading steps are warm-up: those that take more than one and a half times the middle one of all,
/// never more than a third of them.
std::size_t warmUpSteps(std::span<const Ns> durations);

/// The places of the steps from `firstSteady` on that are slow by `limits` against their `usual` time; a step
/// without one (0) is not judged. None when more than a third of the steady steps are: then slow is usual.
/// `usual` is as long as `durations`.
std::vector<std::size_t> slowSteps(std::span<const Ns> durations, std::span<const Ns> usual,
    std::size_t firstSteady, const SlowStepLimits& limits);

} // namespace warpline
