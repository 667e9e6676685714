// How full a kernel can make the GPU.

#include "core/query/kernel_occupancy.h"

#include "core/base/saturate.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// Lowers `residency` to `blocks` when that is less, with the reason `limit`.
void bound(Residency& residency, std::int64_t blocks, ResidencyLimit limit)
{
    if (blocks >= residency.blocksAtOnce)
        return;
    residency.blocksAtOnce = std::max<std::int64_t>(0, blocks);
    residency.limit = limit;
}

/// Bytes of shared memory per block, rounded to allocation units; from compute capability 8.0 on including
/// the system's reservation (CUDA C Programming Guide, compute capabilities).
std::int64_t sharedOfBlock(const KernelLaunch& launch, const Device& device, bool isNvidia)
{
    const std::int64_t own = std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory;
    if (!isNvidia)
        return own;
    constexpr std::int64_t reserved = 1024;
    const std::int64_t unit = device.computeMajor >= 8 ? 128 : 256;
    return ((device.computeMajor >= 8 ? saturatingAdd(own, reserved) : own) + unit - 1) / unit * unit;
}

} // namespace

bool isShapeKnown(const KernelLaunch& launch)
{
    return launch.grid.volume() > 0 && launch.block.volume() > 0;
}

Residency residencyOf(const Trace& trace, EventIndex kernel)
{
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    constexpr std::int64_t most = std::int64_t{1} << 52U; // beyond any GPU; products of it stay numbers
    Residency residency{
        .blocks = std::min(most, launch.grid.volume()), .threads = std::min(most, launch.block.volume())};
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    if (!device || !isShapeKnown(launch))
        return residency;
    residency.multiprocessors = std::max(0, device->multiprocessors);
    if (gpuMakerOf(trace) == GpuMaker::Amd && launch.registersPerThread <= 0)
        return residency; // PyTorch's profiler records no registers there, and they bound nearly all kernels
    if (device->maxWarpsPerSm <= 0 || device->threadsPerWarp <= 0 || residency.threads <= 0)
        return residency;
    residency.warps = saturatingAdd(residency.threads, device->threadsPerWarp - 1) / device->threadsPerWarp;
    residency.blocksAtOnce = device->maxWarpsPerSm / residency.warps;
    residency.limit = ResidencyLimit::Warps;
    if (device->maxBlocksPerSm > 0)
        bound(residency, device->maxBlocksPerSm, ResidencyLimit::Blocks);
    if (launch.registersPerThread > 0 && device->maxRegistersPerSm > 0) {
        // Registers are handed out per warp in units of 256, by each quarter of an SM (of NVIDIA's P100:
        // half).
        const std::int64_t parts = gpuMakerOf(trace) != GpuMaker::Nvidia ? 1
            : device->computeMajor == 6 && device->computeMinor == 0     ? 2
                                                                         : 4;
        const std::int64_t perWarp
            = (std::int64_t{launch.registersPerThread} * device->threadsPerWarp + 255) / 256 * 256;
        const std::int64_t warpsAtOnce = device->maxRegistersPerSm / parts / perWarp * parts;
        bound(residency, warpsAtOnce / residency.warps, ResidencyLimit::Registers);
    }
    const std::int64_t shared = sharedOfBlock(launch, *device, gpuMakerOf(trace) == GpuMaker::Nvidia);
    if (shared > 0 && device->maxSharedPerSm > 0)
        bound(residency, device->maxSharedPerSm / shared, ResidencyLimit::SharedMemory);
    residency.occupancy
        = static_cast<double>(residency.blocksAtOnce * residency.warps) / device->maxWarpsPerSm;
    return residency;
}

} // namespace warpline
