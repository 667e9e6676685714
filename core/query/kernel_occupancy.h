#pragma once

#include "core/store/event_table.h"

#include <cstdint>

namespace warpline {

class Trace;

/// Whether grid and block of the launch are known.
bool isShapeKnown(const KernelLaunch& launch);

/// What limits the blocks of a kernel on a multiprocessor.
enum class ResidencyLimit : std::uint8_t {
    Unknown, ///< the capacity of a multiprocessor is unknown
    Warps, ///< warps: it is full
    Blocks, ///< the number of blocks, which are small
    Registers,
    SharedMemory,
};

/// How blocks of a kernel share the GPU.
struct Residency {
    std::int64_t multiprocessors = 0; ///< 0: unknown
    std::int64_t blocks = 0; ///< of the grid
    std::int64_t threads = 0; ///< of a block
    std::int64_t warps = 0; ///< of a block, the last one perhaps partly empty
    std::int64_t blocksAtOnce = 0; ///< that fit on one multiprocessor; 0: unknown, or not even one
    ResidencyLimit limit = ResidencyLimit::Unknown;
    double occupancy = 0; ///< warps that fit over the most a multiprocessor holds, 0..1; 0: unknown

    /// Blocks over those that fit on the GPU at once; 0: unknown.
    double waves() const
    {
        const std::int64_t atOnce = blocksAtOnce * multiprocessors;
        return atOnce > 0 ? static_cast<double>(blocks) / static_cast<double>(atOnce) : 0;
    }
};

/// Blocks per multiprocessor are bounded by warps, registers, shared memory and the block limit (CUDA C
/// Programming Guide, occupancy).
Residency residencyOf(const Trace& trace, EventIndex kernel);

} // namespace warpline
