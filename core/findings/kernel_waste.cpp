#include "core/findings/kernel_waste.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/utf8.h"
#include "core/findings/evidence.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace warpline {

namespace {

/// The share of a GPU's multiprocessors, 0 to 1, that the blocks of `kernel` use, weighted by active lanes of
/// their warps; `units`: number of multiprocessors.
double unitsInUse(const Trace& trace, EventIndex kernel, std::int32_t units)
{
    const KernelLaunch& launch = trace.kernels().launch(kernel);
    return std::min(1.0, static_cast<double>(launch.grid.volume()) * lanesInUse(launch) / std::max(1, units));
}

/// The share of the GPU's warp slots, 0 to 1, that `kernel` uses at once, weighted in the same way;
/// unitsInUse() where the report lacks their number.
double warpsInUse(const Trace& trace, EventIndex kernel, std::int32_t units)
{
    const Residency residency = residencyOf(trace, kernel);
    if (residency.blocksAtOnce <= 0)
        return unitsInUse(trace, kernel, units);
    return std::min(1.0, residency.waves() * lanesInUse(trace.kernels().launch(kernel)));
}

} // namespace

IdleShares idleBeside(
    const RuleContext& context, const GpuOfProcess& gpu, const std::vector<EventRef>& few, std::int32_t units)
{
    struct Change {
        Ns time = 0;
        double units = 0; ///< more in use from then on
        double warps = 0;
        int few = 0; ///< more of `few`
    };
    const KernelTable& kernels = context.trace.kernels();
    std::vector<Change> changes;
    const auto add = [&](EventIndex i, double used, double warps, int isFew) {
        const TimeRange runs = kernels.range(i).clippedTo(context.window);
        if (runs.empty())
            return;
        changes.push_back({runs.start, used, warps, isFew});
        changes.push_back({runs.end, -used, -warps, -isFew});
    };
    for (const Track& track : kernels.tracks) {
        if (GpuOfProcess{track.owner, track.device} != gpu)
            continue;
        for (const EventIndex i : eventsIn(kernels, track, context.window, context.stop)) {
            if (isShapeKnown(kernels.launch(i)))
                add(i, unitsInUse(context.trace, i, units), warpsInUse(context.trace, i, units), 0);
        }
    }
    for (const EventRef& kernel : few)
        add(kernel.index, 0, 0, 1);
    std::ranges::sort(changes, {}, &Change::time);
    Change now;
    IdleShares idle; // ns
    Ns time = 0;
    for (const Change& change : stoppableItems(changes, context.stop)) {
        if (now.few > 0) {
            const auto length = static_cast<double>(change.time - now.time);
            idle.units += (1 - std::min(1.0, now.units)) * length;
            idle.warps += (1 - std::min(1.0, now.warps)) * length;
            time += change.time - now.time;
        }
        now = {change.time, std::max(0.0, now.units + change.units), std::max(0.0, now.warps + change.warps),
            now.few + change.few};
    }
    const auto share
        = [&](double of) { return time > 0 ? std::clamp(of / static_cast<double>(time), 0.0, 1.0) : 0.0; };
    return {share(idle.units), share(idle.warps)};
}

std::string launchExtent(const KernelLaunch& launch)
{
    return fmt::format("<<<{}, {}>>>", launch.grid.volume(), launch.block.volume());
}

MostWasteful mostWasteful(const Trace& trace, const std::vector<EventRef>& kernels)
{
    struct OfLaunch {
        EventRef kernel; ///< an example
        Ns time = 0;
    };
    const KernelTable& table = trace.kernels();
    std::unordered_map<std::uint64_t, OfLaunch>
        launches; // names and launches are few, kernels may be millions
    for (const EventRef& kernel : kernels) {
        OfLaunch& launch
            = launches[std::uint64_t{raw(table.name[kernel.index])} << 32U | table.attribute[kernel.index]];
        launch.kernel = kernel;
        launch.time += table.duration[kernel.index];
    }
    std::map<std::string_view, Ns> times;
    for (const auto& [looks, launch] : launches)
        times[trace.displayName(launch.kernel)] += launch.time;
    const auto most = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
    if (most == times.end())
        return {};
    return {toUtf8(most->first), times.size()};
}

bool hasKernelSizes(const Trace& trace, const std::stop_token&)
{
    return !trace.kernels().empty() && std::ranges::any_of(trace.devices, [](const Device& device) {
        return device.multiprocessors > 0;
    });
}

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
        .registers = std::max(0, launch.registersPerThread),
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
