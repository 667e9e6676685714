#pragma once

#include "core/compare/kernel_uses.h"
#include "core/compare/nvtx_paths.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// The matched kernels of A and B. Rows are numbered; every kernel is in one.
struct KernelMatch {
    std::vector<MatchedBy> rows; ///< by row
    std::map<std::uint32_t, std::string> where; ///< for rows matched by an operator or a path: its name
    Both<std::vector<std::uint32_t>> rowOfUse; ///< by place in SideKernels::uses
    MatchedShares shares;
};

/// Matches in stages; unmatched kernels go to the next: name, grid and block; name; name without template
/// arguments and sizes (plainKernelName()); launching operator of the framework; and by class in launch
/// order, under one NVTX path or within the step, see matchByOrder(). Needs the paths of findPaths().
/// Unmatched kernels have a row per name. O(n), and O(k^2) in the unmatched kernels of a step for the last
/// stage.
KernelMatch matchKernels(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, const std::stop_token& stop);
/// Matches unmatched kernels by the innermost operator that launches unmatched kernels on both sides:
/// aten::mm has the same work on every GPU, whatever its kernels' names. O(n) in the kernels, times the depth
/// of operators.
void matchByOperator(const Both<const SideKernels*>& kernels, const PathNames& names, KernelMatch& match);
/// The last stage of matchKernels(): matches kernels under the same NVTX path, then within the same step.
/// Fused kernels share a row with the kernels that they replace. Others are paired by class in launch order:
/// first along the longest common order of classes, then one by one within a class. A CUDA graph traced as a
/// whole matches the unmatched kernels of the other side. The median step of each side decides for all steps.
/// A row of paired kernels is a pair of names.
void matchByOrder(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, KernelMatch& match);

} // namespace warpline
