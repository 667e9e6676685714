#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpline {

/// Upper bound of the result elements of the matrix product of kernel `name`: the tile in its name times the
/// blocks of the grid. In libraries' older kernels (cuBLAS and CUTLASS before Hopper, rocBLAS, hipBLASLt) a
/// block computes one tile; edge tiles are partly empty, and several blocks may share one (split-K). Nothing:
/// the name has no tile, the grid was not recorded, or blocks compute several tiles (persistent kernels such
/// as nvjet, stream-K, grouped products).
std::optional<std::int64_t> mostResultElements(std::string_view name, const KernelLaunch& launch);

} // namespace warpline
