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

/// The first step, unless it is warm-up, and the last, where they are clearly shorter or longer than similar
/// steps: by at least a fifth and half a millisecond, on host and GPU, and with a distance of a tenth of the
/// usual length to every other steady step, so that steps which vary anyway do not count. On the GPU the last
/// step ends with its work, which alone makes it shorter there; its range on the host is complete. None for
/// guessed steps, which have no ranges, for ranges that `trace` or the window cuts, and with fewer than three
/// other steps. O(n).
std::vector<EdgeStep> edgeSteps(const Trace& trace, const GpuSteps& steps);

} // namespace warpline
