#pragma once

#include "core/steps/gpu_steps.h"
#include "core/steps/slow_steps.h"

#include <cstddef>
#include <vector>

namespace warpline {

/// A step that takes far longer than steps like it.
struct OutlyingStep {
    std::size_t index = 0; ///< in GpuSteps::host
    bool onGpu = false; ///< slow as the GPU sees it, while its range on the host is not
    Ns length = 0; ///< of the range on the host, or of the step on the GPU
    Ns usual = 0; ///< of such lengths of steps like it
};

/// The slow steps of a program: the one set that findings, the panels and `warpline-cli steps` mark, by
/// place. A step is slow by its range on the host (not of steps that were guessed, which have none) where the
/// GPU feels at least a tenth of it, or as the GPU sees it. A step of the GPU lasts until the first work of
/// the next one, so what holds up the next one's range lengthens it, too: then the step whose range is slow
/// is told, not the one before. `steps` may have no GPU steps at all: then ranges tell alone. O(n log n).
std::vector<OutlyingStep> outlyingSteps(const GpuSteps& steps, const SlowStepLimits& limits = {});

} // namespace warpline
