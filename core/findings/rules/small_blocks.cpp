// Blocks with so few threads that the number of blocks limits the GPU: a multiprocessor holds 16 to 32 blocks
// of any size, and the GPU starts about one block per clock cycle.

#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_waste.h"
#include "core/gpus/gpu_peaks.h"
#include "core/kernels/kernel_names.h"
#include "core/replay/cure_factors.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace warpline::small_blocks {

namespace {

constexpr std::string_view id = "small_blocks";
constexpr Threshold minDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 10'000};
constexpr Threshold minShare{"min_share", "Minimum share of the kernels' time lost", "%", 5};
constexpr Threshold minStarting{
    "min_starting", "Minimum share of a kernel's time that starting its blocks takes", "%", 50};
constexpr std::array thresholds{minDuration, minShare, minStarting};
constexpr std::array<std::string_view, 1> absorbed{"low_occupancy"};
constexpr double largestBlock = 1024; ///< threads, on all GPUs of NVIDIA

/// The cost of small blocks for a kernel.
struct BlockCost {
    double lost = 0; ///< share of the kernel's time, at most
    double starting = 0; ///< share of its time that starting its blocks takes, one in each clock cycle
    double occupancy = 1; ///< that the number of blocks allows
};

BlockCost costOf(const Trace& trace, EventIndex kernel, const Device& device, double leastStarting)
{
    const Residency residency = residencyOf(trace, kernel);
    BlockCost cost;
    if (residency.threads <= 1 || residency.blocks < residency.multiprocessors)
        return cost; // covered by tiny_grid
    if (residency.limit == ResidencyLimit::Blocks && residency.occupancy < 1) {
        cost.occupancy = residency.occupancy;
        cost.lost = 1 - residency.occupancy;
    }
    const double duration = static_cast<double>(trace.kernels().duration[kernel]);
    if (device.clockRate > 0 && duration > 0)
        cost.starting
            = static_cast<double>(residency.blocks) * 1e9 / static_cast<double>(device.clockRate) / duration;
    // Fewer, larger blocks start in time; then memory or arithmetic is the limit.
    if (cost.starting >= leastStarting)
        cost.lost = std::max(cost.lost, 1 - static_cast<double>(residency.threads) / largestBlock);
    return cost;
}

/// Kernels whose block size the program's author does not choose.
bool isOfFramework(std::string_view name)
{
    return name.find("at::native::") != std::string_view::npos || name.find("cub::") != std::string_view::npos
        || name.find("thrust::") != std::string_view::npos || name.find("nvfuser") != std::string_view::npos
        || isLibraryKernel(name);
}

struct SmallBlocks {
    std::vector<EventRef> kernels;
    Ns time = 0; ///< of these
    Ns all = 0; ///< of all that compute
    double lost = 0;
    std::uint64_t starting = 0; ///< kernels that starting their blocks limits
};

SmallBlocks measureSmallBlocks(
    const RuleContext& context, const GpuFacts& gpu, const Device& device, TimeRange measured)
{
    const KernelTable& kernels = context.trace.kernels();
    const auto shortest = static_cast<Ns>(context.threshold(id, minDuration));
    const double leastStarting = context.threshold(id, minStarting) / 100;
    OncePerName isLeftOut([&](StringId name) {
        return isOfFramework(context.trace.text(name)) || isCommunication(context.trace.text(name));
    });
    SmallBlocks found;
    forEachOfKind(gpu, EventKind::Kernel, context.stop, [&](EventRef event) {
        if (!measured.contains(kernels.start[event.index]))
            return;
        const Ns duration = kernels.duration[event.index];
        found.all += duration;
        if (isLeftOut(kernels.name[event.index]) || duration < shortest
            || !isShapeKnown(kernels.launch(event.index)))
            return;
        const BlockCost cost = costOf(context.trace, event.index, device, leastStarting);
        if (cost.lost <= 0)
            return;
        found.kernels.push_back(event);
        found.time += duration;
        found.lost += cost.lost * static_cast<double>(duration);
        found.starting += cost.starting >= leastStarting ? 1 : 0;
    });
    return found;
}

/// Blocks of a usual size: where starting them is the limit fewer of them, else more warps at once.
Cure cureOf(const Trace& trace, const Device& device, const SmallBlocks& found, double leastStarting)
{
    std::map<std::pair<std::int64_t, bool>, std::vector<EventRef>> byThreads; // and whether starting limits
    for (const EventRef& kernel : found.kernels) {
        const bool starting = costOf(trace, kernel.index, device, leastStarting).starting >= leastStarting;
        byThreads[{trace.kernels().launch(kernel.index).block.volume(), starting}].push_back(kernel);
    }
    Cure cure;
    for (auto& [shape, kernels] : byThreads) {
        double threads = 0; // of all these kernels, as the next
        double time = 0;
        for (const EventRef& kernel : kernels) {
            threads += static_cast<double>(trace.kernels().launch(kernel.index).grid.volume())
                * static_cast<double>(shape.first);
            time += static_cast<double>(trace.kernels().duration[kernel.index]);
        }
        const auto launches = static_cast<double>(kernels.size());
        const double occupancy = costOf(trace, kernels.front().index, device, leastStarting).occupancy;
        const FactorRange factor = shape.second
            ? blockSizeFactor(device, shape.first, threads / launches, time / launches)
            : FactorRange{occupancy, (1 + occupancy) / 2, 1};
        cure.edits.push_back(editOf(CureKind::ScaleWork, std::move(kernels), factor));
    }
    return cure;
}

Finding findingOf(const RuleContext& context, const GpuFacts& gpu, const Device& device, SmallBlocks& found)
{
    const Trace& trace = context.trace;
    longestToFront(trace, found.kernels);
    const EventRef worst = found.kernels.front();
    const Residency residency = residencyOf(trace, worst.index);
    const BlockCost cost = costOf(trace, worst.index, device, context.threshold(id, minStarting) / 100);
    Finding finding = findingOn(context, gpu.process, gpu.device, static_cast<Ns>(found.lost));
    finding.claims = timeOf(trace, found.kernels, context.facts.measuredRange());
    const MostWasteful most = mostWasteful(trace, found.kernels);
    finding.title = Message("small_blocks.title",
        "{gpu}: {kernels, plural, one {# kernel has} other {# kernels have}} blocks of {threads, plural, one {# thread} "
        "other {# threads}}{names, plural, one {: {kernel}} other {, mostly {kernel}}}",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"kernels", Count{found.kernels.size()}},
            {"threads", Count{static_cast<std::uint64_t>(residency.threads)}}, {"names", Count{most.names}},
            {"kernel", Name{most.name}}});
    finding.message = Message("small_blocks.time", "They take {time}, {share} of kernel time.",
        {{"time", Duration{found.time}}, {"share", Share{shareOf(found.time, found.all)}}});
    if (cost.starting >= context.threshold(id, minStarting) / 100)
        finding.message += Message("small_blocks.starting",
            "The GPU starts at most about one block per clock cycle: starting the longest kernel's {blocks} blocks takes "
            "{share} of its {time}.",
            {{"blocks", Count{static_cast<std::uint64_t>(residency.blocks)}},
                {"share", Share{std::min(1.0, cost.starting)}},
                {"time", Duration{trace.kernels().duration[worst.index]}}});
    if (cost.occupancy < 1)
        finding.message += Message("small_blocks.occupancy",
            "A multiprocessor holds {blocks, plural, one {# block} other {# blocks}} of {warps, plural, one {# warp} other {# "
            "warps}}: {share} of the warps that it could hold.",
            {{"blocks", Count{static_cast<std::uint64_t>(residency.blocksAtOnce)}},
                {"warps", Count{static_cast<std::uint64_t>(residency.warps)}},
                {"share", Share{cost.occupancy}}});
    finding.cure = cureOf(trace, device, found, context.threshold(id, minStarting) / 100);
    setEvidence(finding, trace, found.kernels, [&](EventRef event) {
        const BlockCost each = costOf(trace, event.index, device, 0);
        return Message("small_blocks.launch", "{launch}: starting its blocks takes {share} of its time",
            {{"launch", Name{launchExtent(trace.kernels().launch(event.index))}},
                {"share", Share{std::min(1.0, each.starting)}}});
    });
    return finding;
}

void findSmallBlocks(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const TimeRange measured = context.facts.measuredRange();
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    if (!device || device->multiprocessors <= 0)
        return;
    Device known = *device;
    if (const auto peaks = known.clockRate <= 0 ? peaksOf(known) : std::nullopt)
        known.clockRate = static_cast<std::int64_t>(peaks->clockHz); // traces of PyTorch's profiler
    SmallBlocks found = measureSmallBlocks(context, gpu, known, measured);
    if (context.reachesShare(id, minShare, found.lost, found.all))
        findings.push_back(findingOf(context, gpu, known, found));
}

} // namespace

extern constinit const Rule smallBlocks{
    .id = id,
    .title = "Small blocks",
    .why
    = "A multiprocessor holds a fixed number of blocks, and the GPU starts about one block per clock cycle. Blocks "
      "of one or two warps leave most warps unused, and many short blocks wait to start.",
    .remedy
    = "Use blocks of 256 to 512 threads. Where far more blocks are launched than fit on the GPU, let each thread "
      "compute several elements (a grid-stride loop).",
    .caveat = "Calculated from the launch, not measured. A memory-bound kernel may not gain from more warps.",
    .thresholds = thresholds,
    .applies = hasKernelSizes,
    .checkGpu = findSmallBlocks,
    .absorbs = absorbed,
};

} // namespace warpline::small_blocks
