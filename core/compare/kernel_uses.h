#pragma once

#include "core/compare/side_measure.h"

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

/// Kernels of one name and launch shape in the compared steps of a side.
struct KernelGroup {
    std::string_view name; ///< in full; lives as long as the trace
    std::string_view label; ///< for little room
    Dim3 grid;
    Dim3 block;
    std::size_t kernelClass = 0; ///< index into KernelClassRules::classes()
};

/// One kernel there.
struct KernelUse {
    EventRef event; ///< a kernel, or a graph traced as a whole
    std::uint32_t group = 0;
    std::uint32_t gpu = 0; ///< place in ComparedSide::gpus
    std::uint32_t step = 0; ///< place in ComparedGpu::steps
    std::uint32_t path = 0; ///< NVTX path, of PathNames; 0: none
    std::uint32_t operators = 0; ///< path of the framework's operators that launched it; 0: none
    Ns duration = 0; ///< inside the compared span
    Ns whole = 0; ///< its duration
};

struct SideKernels {
    std::vector<KernelGroup> groups;
    std::vector<KernelUse> uses; ///< by GPU and stream, in order of time
};

/// The kernels and whole graphs in the compared steps, see forEachInSpans(). O(n). Throws Stopped when `stop`
/// is requested.
SideKernels collectKernels(
    const SideMeasure& measure, const KernelClassRules& rules, const std::stop_token& stop);

} // namespace warpline
