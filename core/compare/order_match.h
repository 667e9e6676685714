#pragma once

#include "core/compare/kernel_match.h"

namespace warpline {

/// The last stage of matchKernels(): gives kernels without a row one, where the other side has kernels
/// without a row under the same NVTX path, and then, of steps, in the same step. What a compiler fused is one
/// row with what it was fused from; others are paired by class at the same place in the order of launching:
/// first as far as both have an order of classes in common, then the first with the first of what is left of
/// a class; and a CUDA graph that is traced as a whole takes what is left on the other side. That is found on
/// the middle step of each side, and holds for the others. A row of paired kernels is a pair of names.
void matchByOrder(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, KernelMatch& match);

} // namespace warpline
