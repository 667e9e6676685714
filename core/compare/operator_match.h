#pragma once

#include "core/compare/kernel_match.h"

namespace warpline {

/// Gives kernels without a row the row of the innermost operator that launches kernels without a row on both
/// sides: what aten::mm runs on one GPU is what it runs on another, whatever the kernels are called. O(n) in
/// the kernels, times the depth of operators.
void matchByOperator(const Both<const SideKernels*>& kernels, const PathNames& names, KernelMatch& match);

} // namespace warpline
