#include "core/findings/block_limits.h"

#include "core/base/utf8.h"
#include "core/findings/evidence.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// The resource limits of a kernel's blocks per multiprocessor.
struct BlockLimits {
    std::int64_t byRegisters = 0; ///< blocks that fit; 0: not known
    std::int64_t byMemory = 0;
    std::int64_t threads = 0; ///< of a block
    std::int64_t registers = 0; ///< of a thread
    std::int64_t memory = 0; ///< bytes of shared memory of a block
    std::int64_t registerFile = 0;

    bool areRegisters() const { return byRegisters > 0 && (byMemory == 0 || byRegisters <= byMemory); }
    bool isMemory() const { return byMemory > 0 && !areRegisters(); }
};

/// A warp's registers come in pieces of 256 (CUDA's occupancy calculator), blocks in whole warps.
BlockLimits limitsOf(const Trace& trace, EventIndex kernel)
{
    constexpr std::int64_t piece = 256;
    constexpr std::int64_t lanes = 32;
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    BlockLimits limits{.threads = launch.block.volume(),
        .registers = launch.registersPerThread,
        .memory
        = std::int64_t{std::max(0, launch.staticSharedMemory)} + std::max(0, launch.dynamicSharedMemory)};
    const std::int64_t warps = (limits.threads + lanes - 1) / lanes;
    const std::int64_t used
        = saturatingProduct((limits.registers * lanes + piece - 1) / piece * piece, warps);
    const Track& track = trace.kernels().trackOf(kernel);
    const Device* const device = trace.device(track.owner, track.device);
    limits.registerFile = device ? device->maxRegistersPerSm : 0;
    if (used > 0)
        limits.byRegisters = limits.registerFile / used;
    if (device && limits.memory > 0)
        limits.byMemory = device->maxSharedPerSm / limits.memory;
    return limits;
}

} // namespace

Message limitText(const Trace& trace, EventIndex kernel)
{
    const BlockLimits limits = limitsOf(trace, kernel);
    const Name name{toUtf8(trace.displayName({EventKind::Kernel, kernel}))};
    constexpr std::int64_t fewBlocks = 8; // with more of them the size of the block is the limit
    if (limits.areRegisters() && limits.byRegisters <= fewBlocks)
        return Message("kernel.limited_by_registers",
                   "Registers limit the longest kernel, {kernel}: {blocks, plural, one {# block fits} other {# blocks "
                   "fit}} on a multiprocessor.",
                   {{"kernel", name}, {"blocks", Count{static_cast<std::uint64_t>(limits.byRegisters)}}})
            + Message("kernel.registers",
                "Each of its {threads} threads per block takes {registers} of {all} registers.",
                {{"threads", Count{static_cast<std::uint64_t>(limits.threads)}},
                    {"registers", Count{static_cast<std::uint64_t>(limits.registers)}},
                    {"all", Count{static_cast<std::uint64_t>(limits.registerFile)}}});
    if (limits.isMemory() && limits.byMemory <= fewBlocks)
        return Message("kernel.limited_by_shared_memory",
            "Shared memory limits the longest kernel, {kernel}: with {memory} per block, {blocks, plural, one {# block "
            "fits} other {# blocks fit}} on a multiprocessor.",
            {{"kernel", name}, {"memory", Bytes{static_cast<std::uint64_t>(limits.memory)}},
                {"blocks", Count{static_cast<std::uint64_t>(limits.byMemory)}}});
    return Message("kernel.limited_by_block",
        "The longest kernel, {kernel}, has {threads, plural, one {# thread} other {# threads}} per block: too few to "
        "fill a multiprocessor.",
        {{"kernel", name}, {"threads", Count{static_cast<std::uint64_t>(limits.threads)}}});
}

Message remedyForLimit(const Trace& trace, EventIndex kernel)
{
    const BlockLimits limits = limitsOf(trace, kernel);
    if (!limits.areRegisters() || limits.threads > 1024 || limits.threads < 32)
        return {};
    constexpr std::int64_t step = 8; // registers of a thread come in eights
    const std::int64_t wanted = limits.byRegisters + 1;
    const std::int64_t fit = limits.registerFile / wanted / ((limits.threads + 31) / 32 * 32) / step * step;
    if (fit < 16)
        return {};
    return Message("kernel.one_more_block",
               "One more block fits with {registers} registers per thread or fewer: __global__ void "
               "__launch_bounds__({threads}, {blocks}) {kernel}(...).",
               {{"registers", Count{static_cast<std::uint64_t>(fit)}}, {"threads", Ordinal{limits.threads}},
                   {"blocks", Ordinal{wanted}},
                   {"kernel", Name{toUtf8(trace.displayName({EventKind::Kernel, kernel}))}}})
        + Message("kernel.check_spills",
            "With Nsight Compute, check that warps stall on memory and that the compiler does not spill registers.");
}

} // namespace warpline
