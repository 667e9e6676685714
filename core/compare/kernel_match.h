#pragma once

#include "core/compare/kernel_uses.h"
#include "core/compare/nvtx_paths.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
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

/// The longest common subsequence of two sequences: pairs of places with equal symbols, ascending in both.
/// For very long ones (more than `mostCells` comparisons) the common beginning and end, and of the rest as
/// much as fits. O(n m).
std::vector<std::pair<std::size_t, std::size_t>> commonOrder(
    std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t mostCells = 16'000'000);
/// A kernel's name without what differs by precision, tile size and architecture: `label`, which has no
/// template arguments (see kernelLabel()), with '#' for numbers: "ampere_sgemm_128x64_tn" ->
/// "ampere_sgemm_#_tn". Types keep their numbers: "f16" and "bf16" are not "f32". O(length).
std::string plainKernelName(std::string_view label);

/// A kernel's full name in one spelling for all recorders: nsys writes "(int)4", "(bool)0" and "<unnamed>",
/// PyTorch's profiler "4", "false" and "(anonymous namespace)". O(length).
std::string commonKernelName(std::string_view name);

} // namespace warpline
