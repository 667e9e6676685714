#pragma once

#include "core/steps/gpu_steps.h"

#include <cstddef>
#include <vector>

namespace warpline {

/// The first or the last step of a program, where it is unlike all others.
struct EdgeStep {
    std::size_t index = 0; ///< in GpuSteps::host
    bool isLast = false;
    double ofUsual = 1; ///< the length of its range on the host as a share of the usual one: 0.72
    double ofUsualOnGpu = 1; ///< the same on the GPU; of the last to the end of its work
};

/// The first step, unless that is warm-up, and the last, where they are clearly shorter or longer than steps
/// like them: by a fifth at least and half a millisecond, on the host as well as on the GPU, and further from
/// every other steady step than a tenth of the usual length, so that steps which vary by themselves say
/// nothing. The last step ends on the GPU with its work, which alone makes it shorter there; its range on the
/// host is as whole as the others'. None of guessed steps, which have no ranges, of a range that `trace` or
/// the window cuts, and of fewer than three others to tell by. O(n).
std::vector<EdgeStep> edgeSteps(const Trace& trace, const GpuSteps& steps);

} // namespace warpline
