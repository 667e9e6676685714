#pragma once

#include "core/compare/kernel_match.h"

namespace warpline {

/// The last stage of matchKernels(): gives kernels without a row one, where the other side has kernels
/// without a row under the same NVTX path, of the same class, at the same place in the order of launching:
/// first as far as both have an order of classes in common, then the first with the first of what is left of
/// a class. That is found on the middle step of each side, and holds for the others. A row is a pair of
/// names.
void matchByOrder(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    PathNames& names, KernelMatch& match);

} // namespace warpline
