// Kernels whose blocks are not a whole number of warps: the hardware runs 32 threads at a time, and lanes
// without a thread idle. Blocks of 4x4 threads leave half of each warp empty.

#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_waste.h"
#include "core/kernels/kernel_names.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline::partial_warps {

namespace {

constexpr std::string_view id = "partial_warps";
constexpr Threshold minDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 10'000};
constexpr Threshold minShare{
    "min_share", "Minimum share of the kernels' time that empty lanes waste", "%", 5};
constexpr std::array thresholds{minDuration, minShare};
constexpr std::array<std::string_view, 1> absorbed{"low_occupancy"};

struct Waste {
    std::vector<EventRef> kernels;
    Ns time = 0; ///< of these kernels
    double lost = 0; ///< of it in empty lanes
    Ns all = 0; ///< of all kernels
};

Waste measure(const RuleContext& context, const GpuFacts& gpu)
{
    const KernelTable& kernels = context.trace.kernels();
    const Ns shortest = static_cast<Ns>(context.threshold(id, minDuration));
    Waste waste;
    forEachOfKind(gpu, EventKind::Kernel, context.stop, [&](EventRef event) {
        const Ns duration = kernels.duration[event.index];
        waste.all += duration;
        // Single threads are reported by tiny_grid.
        const KernelLaunch& launch = kernels.launch(event.index);
        const double used = lanesInUse(launch);
        if (used >= 1 || duration < shortest || launch.block.volume() == 1
            || isCommunication(context.trace.text(kernels.name[event.index])))
            return;
        waste.kernels.push_back(event);
        waste.time += duration;
        waste.lost += static_cast<double>(duration) * (1 - used);
    });
    return waste;
}

std::string extent(const Dim3& extent)
{
    return extent.z > 1 ? fmt::format("{}x{}x{}", extent.x, extent.y, extent.z)
        : extent.y > 1  ? fmt::format("{}x{}", extent.x, extent.y)
                        : fmt::format("{}", extent.x);
}

Finding findingOf(const RuleContext& context, const GpuFacts& gpu, Waste& waste)
{
    const Trace& trace = context.trace;
    const KernelTable& kernels = trace.kernels();
    sortLongestFirst(trace, waste.kernels);
    const EventRef worst = waste.kernels.front();
    const KernelLaunch& launch = kernels.launch(worst.index);
    Finding finding = findingOn(context, gpu.process, gpu.device, static_cast<Ns>(waste.lost));
    finding.confidence = Confidence::Certain;
    finding.title = Message("partial_warps.title",
        "{gpu}: {time} of kernels leave lanes of their warps empty, with {threads} threads per block",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"time", Duration{waste.time}},
            {"threads", Name{extent(launch.block)}}});
    finding.message = Message("partial_warps.kernels",
        "{kernels, plural, one {# kernel does} other {# kernels do}} not fill their warps of 32 lanes: {share} of "
        "kernel time.",
        {{"kernels", Count{waste.kernels.size()}}, {"share", Share{shareOf(waste.time, waste.all)}}});
    finding.message += Message("partial_warps.worst",
        "{kernel}, with {threads} threads per block, uses {share} of the lanes.",
        {{"kernel", Name{std::string(trace.displayName(worst))}}, {"threads", Name{extent(launch.block)}},
            {"share", Share{lanesInUse(launch)}}});
    if (const double occupancy = residencyOf(trace, worst.index).occupancy; occupancy > 0)
        finding.message += Message("partial_warps.occupancy",
            "Its theoretical occupancy is {warps} in warps and {lanes} in lanes.",
            {{"warps", Share{occupancy}}, {"lanes", Share{occupancy * lanesInUse(launch)}}});
    finding.claims = timeOf(trace, waste.kernels, context.window);
    setEvidence(finding, trace, waste.kernels, [&](EventRef event) {
        const KernelLaunch& each = kernels.launch(event.index);
        return Message("partial_warps.launch", "{launch}: {share} of the lanes",
            {{"launch", Name{fmt::format("<<<{}, {}>>>", extent(each.grid), extent(each.block))}},
                {"share", Share{lanesInUse(each)}}});
    });
    return finding;
}

void findPartialWarps(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    Waste waste = measure(context, gpu);
    if (!waste.kernels.empty() && context.reachesShare(id, minShare, waste.lost, waste.all))
        findings.push_back(findingOf(context, gpu, waste));
}

} // namespace

extern constinit const Rule partialWarps{
    .id = id,
    .title = "Blocks that do not fill their warps",
    .why
    = "The hardware runs threads in warps of 32. A block of 16 threads takes a whole warp and leaves half of "
      "its lanes empty. Few threads per block also keep the number of resident warps low.",
    .remedy
    = "Make the threads per block a multiple of 32; start with 128 to 256. Use dim3 block(16, 16) or (32, 8) instead of (4, 4). Use grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y). Let x run "
      "along memory, so that the 32 lanes read adjacent addresses.",
    .caveat
    = "Lanes are calculated from the launch, not measured. A memory-bound kernel may not gain from more warps.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findPartialWarps,
    .absorbs = absorbed,
};

} // namespace warpline::partial_warps
