#pragma once

#include "core/compare/kernel_uses.h"
#include "core/compare/nvtx_paths.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

/// Which kernels of A and of B are one. Rows are numbered; every kernel is in one.
struct KernelMatch {
    std::vector<MatchedBy> rows; ///< by row
    Both<std::vector<std::uint32_t>> rowOfUse; ///< by place in SideKernels::uses
    MatchedShares shares;
};

/// Matches in stages; what one stage leaves goes to the next: name, grid and block; name; name without
/// template arguments and sizes (plainKernelName()); and under one NVTX path by class in the order of
/// launching, see matchByOrder(). Needs the paths of findPaths(). What
/// nothing matches has a row for each name. O(n), and for the last stage O(k^2) in the kernels of a step that
/// are left.
KernelMatch matchKernels(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    PathNames& names, const std::stop_token& stop);

} // namespace warpline
