#pragma once

#include "core/compare/kernel_match.h"

namespace warpline {

/// The last stage of matchKernels(): matches kernels under the same NVTX path, then within the same step.
/// Fused kernels share a row with the kernels that they replace. Others are paired by class in launch order:
/// first along the longest common order of classes, then one by one within a class. A CUDA graph traced as a
/// whole matches the unmatched kernels of the other side. The median step of each side decides for all steps.
/// A row of paired kernels is a pair of names.
void matchByOrder(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, KernelMatch& match);

} // namespace warpline
