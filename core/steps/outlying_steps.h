#pragma once

#include "core/steps/gpu_steps.h"
#include "core/steps/slow_steps.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace warpline {

/// A step that takes far longer than steps like it.
struct OutlyingStep {
    std::size_t index = 0; ///< in GpuSteps::host
    bool onGpu = false; ///< slow as the GPU sees it, while its range on the host is not
    Ns length = 0; ///< of the range on the host, or of the step on the GPU
    Ns usual = 0; ///< of such lengths of steps like it
    Ns felt = 0; ///< its excess time, as far as the GPU takes longer, too
};

/// The slow steps of a program, by index: the same set for findings, panels and `warpline-cli steps`. A step
/// is slow by its range on the host (not for guessed steps, which have none) if the GPU is delayed by at
/// least a tenth of it, or by its time on the GPU. A step on the GPU lasts until the first work of the next
/// one, so a delay of the next range lengthens it, too: then the step with the slow range counts, not the one
/// before. Without GPU steps in `steps` only ranges decide. O(n log n).
std::vector<OutlyingStep> outlyingSteps(const GpuSteps& steps, const SlowStepLimits& limits = {});

/// How much longer than usual the GPU takes while step `index` of the host runs: in that step, and in the one
/// before, which lasts until its first work. The last step is assumed to be followed as quickly as any other.
/// A host throttled by a full queue takes longer while the GPU does not. Nothing: unknown. O(log n), for the
/// last step O(n).
std::optional<Ns> longerOnGpu(const GpuSteps& steps, std::size_t index);
/// True when the GPU continues normally while the range of step `index` takes `longer` than usual, because it
/// had work queued. A call that waits for queued work takes longer than the GPU's resulting wait: a delay of
/// a tenth of `longer` is enough to count.
bool isHiddenFromGpu(const GpuSteps& steps, std::size_t index, Ns longer);

} // namespace warpline
