#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpline {

/// Elements that the result of the matrix product of kernel `name` has at most: the tile in the name for each
/// block of the grid. In libraries' older kernels (cuBLAS and CUTLASS before Hopper, rocBLAS, hipBLASLt) a
/// block computes one tile; edges of the result leave a part of a tile empty, and several blocks may share
/// one (split-K). Nothing: the name has no tile, the grid was not recorded, or blocks compute several tiles
/// (persistent kernels such as nvjet, stream-K, grouped products), so that the grid says nothing.
std::optional<std::int64_t> mostResultElements(std::string_view name, const KernelLaunch& launch);

} // namespace warpline
