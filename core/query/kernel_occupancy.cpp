// How full a kernel can make the GPU.

#include "core/query/event_text.h"

#include <algorithm>
#include <cstdint>

namespace warpline {

namespace {

/// Blocks of `launch` that one multiprocessor of `device` holds at once; 0 when the export lacks what it
/// takes.
std::int64_t blocksPerMultiprocessor(const Device& device, const KernelLaunch& launch)
{
    const std::int64_t threads = launch.block.volume();
    if (device.maxWarpsPerSm <= 0 || device.threadsPerWarp <= 0 || threads <= 0)
        return 0;
    const std::int64_t warps = (threads + device.threadsPerWarp - 1) / device.threadsPerWarp;
    std::int64_t blocks = device.maxWarpsPerSm / warps;
    if (device.maxBlocksPerSm > 0)
        blocks = std::min<std::int64_t>(blocks, device.maxBlocksPerSm);
    if (launch.registersPerThread > 0 && device.maxRegistersPerSm > 0) {
        // Registers are handed out per warp in units of 256.
        const std::int64_t perWarp
            = (std::int64_t{launch.registersPerThread} * device.threadsPerWarp + 255) / 256 * 256;
        blocks = std::min(blocks, device.maxRegistersPerSm / (perWarp * warps));
    }
    const std::int64_t shared = std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory;
    if (shared > 0 && device.maxSharedPerSm > 0)
        blocks = std::min(blocks, device.maxSharedPerSm / shared);
    return std::max<std::int64_t>(0, blocks);
}

} // namespace

double theoreticalWaves(const Trace& trace, EventIndex kernel)
{
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    if (!device || device->multiprocessors <= 0)
        return 0;
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    const std::int64_t atOnce = blocksPerMultiprocessor(*device, launch) * device->multiprocessors;
    return atOnce > 0 ? static_cast<double>(launch.grid.volume()) / static_cast<double>(atOnce) : 0;
}

double theoreticalOccupancy(const Trace& trace, EventIndex kernel)
{
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    if (!device)
        return 0;
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    const std::int64_t blocks = blocksPerMultiprocessor(*device, launch);
    if (blocks <= 0)
        return 0;
    const std::int64_t warps = (launch.block.volume() + device->threadsPerWarp - 1) / device->threadsPerWarp;
    return static_cast<double>(blocks * warps) / device->maxWarpsPerSm;
}

} // namespace warpline
