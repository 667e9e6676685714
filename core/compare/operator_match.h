#pragma once

#include "core/compare/kernel_match.h"

namespace warpline {

/// Matches unmatched kernels by the innermost operator that launches unmatched kernels on both sides:
/// aten::mm has the same work on every GPU, whatever its kernels' names. O(n) in the kernels, times the depth
/// of operators.
void matchByOperator(const Both<const SideKernels*>& kernels, const PathNames& names, KernelMatch& match);

} // namespace warpline
