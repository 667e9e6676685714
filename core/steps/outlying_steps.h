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
    Ns felt = 0; ///< how much longer it takes, as far as the GPU takes longer for it
};

/// The slow steps of a program: the one set that findings, the panels and `warpline-cli steps` mark, by
/// place. A step is slow by its range on the host (not of steps that were guessed, which have none) where the
/// GPU feels at least a tenth of it, or as the GPU sees it. A step of the GPU lasts until the first work of
/// the next one, so what holds up the next one's range lengthens it, too: then the step whose range is slow
/// is told, not the one before. `steps` may have no GPU steps at all: then ranges tell alone. O(n log n).
std::vector<OutlyingStep> outlyingSteps(const GpuSteps& steps, const SlowStepLimits& limits = {});

/// How much longer than usual the GPU takes where step `index` of the host runs: in that step, and in the one
/// before, which lasts until its first work. Behind the last step a next one would begin its work as soon as
/// any step does. A host that is throttled by a full queue takes longer, and the GPU does not. Nothing: it is
/// not known. O(log n), of the last step O(n).
std::optional<Ns> longerOnGpu(const GpuSteps& steps, std::size_t index);
/// True when the GPU goes on as always while the range of step `index` takes `longer` than usual: it had work
/// in store. A call that waits for what is in store takes longer than what the GPU then waits: a tenth of it
/// will do.
bool isHiddenFromGpu(const GpuSteps& steps, std::size_t index, Ns longer);

} // namespace warpline
