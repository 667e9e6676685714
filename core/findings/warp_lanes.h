#pragma once

#include "core/store/event_table.h"

namespace warpline {

/// The share of warp lanes that a kernel's blocks fill: 1 where a block is a multiple of 32 threads, 0.5 for
/// blocks of 16. Other lanes idle.
inline double lanesInUse(const KernelLaunch& launch)
{
    constexpr std::int64_t warp = 32;
    const std::int64_t threads = launch.block.volume();
    if (threads <= 0)
        return 1;
    const std::int64_t warps = threads / warp + (threads % warp != 0 ? 1 : 0);
    return static_cast<double>(threads) / (static_cast<double>(warps) * static_cast<double>(warp));
}

} // namespace warpline
