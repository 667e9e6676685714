// How full a kernel can make the GPU.

#include "core/query/event_text.h"

#include "core/base/saturate.h"

#include <algorithm>
#include <cstdint>

namespace warpline {

namespace {

/// Warps of one block of `launch`.
std::int64_t warpsOf(const Device& device, const KernelLaunch& launch)
{
    return saturatingAdd(launch.block.volume(), device.threadsPerWarp - 1) / device.threadsPerWarp;
}

/// Blocks of `launch` that one multiprocessor of `device` holds at once; 0 when the export lacks what it
/// takes.
std::int64_t blocksPerMultiprocessor(const Device& device, const KernelLaunch& launch)
{
    if (device.maxWarpsPerSm <= 0 || device.threadsPerWarp <= 0 || launch.block.volume() <= 0)
        return 0;
    const std::int64_t warps = warpsOf(device, launch);
    std::int64_t blocks = device.maxWarpsPerSm / warps;
    if (device.maxBlocksPerSm > 0)
        blocks = std::min<std::int64_t>(blocks, device.maxBlocksPerSm);
    if (launch.registersPerThread > 0 && device.maxRegistersPerSm > 0) {
        // Registers are handed out per warp in units of 256.
        const std::int64_t perWarp
            = (std::int64_t{launch.registersPerThread} * device.threadsPerWarp + 255) / 256 * 256;
        blocks = std::min(blocks, device.maxRegistersPerSm / saturatingProduct(perWarp, warps));
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
    return static_cast<double>(blocks * warpsOf(*device, launch)) / device->maxWarpsPerSm;
}

} // namespace warpline
