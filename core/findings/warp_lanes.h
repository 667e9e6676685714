#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// The share of the lanes of its warps that a kernel's blocks fill: 1 where the threads of a block are a
/// multiple of a warp's 32, 0.5 for blocks of 16. The rest of a warp is there and does nothing.
inline double lanesInUse(const KernelLaunch& launch)
{
    constexpr std::int64_t warp = 32;
    const std::int64_t threads = launch.block.volume();
    if (threads <= 0)
        return 1;
    return static_cast<double>(threads) / static_cast<double>((threads + warp - 1) / warp * warp);
}

} // namespace warpline
