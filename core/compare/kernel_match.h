#pragma once

#include "core/compare/kernel_uses.h"
#include "core/compare/nvtx_paths.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// Which kernels of A and of B are one. Rows are numbered; every kernel is in one.
struct KernelMatch {
    std::vector<MatchedBy> rows; ///< by row
    std::map<std::uint32_t, std::string>
        where; ///< of rows that an operator or a path tells: what it is called
    Both<std::vector<std::uint32_t>> rowOfUse; ///< by place in SideKernels::uses
    MatchedShares shares;
};

/// Matches in stages; what one stage leaves goes to the next: name, grid and block; name; name without
/// template arguments and sizes (plainKernelName()); the framework's operator that launches both; and under
/// one NVTX path, or else in the step, by class in the order of launching, see matchByOrder(). Needs the
/// paths of findPaths() and findOperators(). What nothing matches has a row for each name. O(n), and for the
/// last stage O(k^2) in the kernels of a step that are left.
KernelMatch matchKernels(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, const std::stop_token& stop);

} // namespace warpline
