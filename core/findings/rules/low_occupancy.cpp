// Kernels with so few resident warps that latency cannot be hidden. NCCL's kernels are small on purpose and
// do not count.

#include "core/analysis/trace_analysis.h"
#include "core/base/saturate.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_waste.h"
#include "core/kernels/kernel_math.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>

namespace warpline::low_occupancy {

namespace {

constexpr std::string_view occupancyId = "low_occupancy";
constexpr Threshold occupancyMinDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 20'000};
constexpr Threshold maxOccupancy{"max_occupancy", "Theoretical occupancy below this is low", "%", 25};
constexpr Threshold occupancyMinShare{"min_share", "Minimum share of the kernels' time", "%", 15};
constexpr std::array occupancyThresholds{occupancyMinDuration, maxOccupancy, occupancyMinShare};

std::vector<Finding> findLowOccupancy(const RuleContext& context)
{
    const double most = context.threshold(occupancyId, maxOccupancy);
    auto found = measureWaste(context, static_cast<Ns>(context.threshold(occupancyId, occupancyMinDuration)),
        [&](EventIndex i, const Device& device) {
            // Occupancy means nothing where no multiprocessor has more than one block: see tiny_grid.
            if (context.trace.kernels().launch(i).grid.volume() < device.multiprocessors)
                return 0.0;
            // Matrix kernels keep few warps with many registers by design.
            const MathWork work = mathOf(context.trace.text(context.trace.kernels().name[i])).work;
            if (work == MathWork::Matrix || work == MathWork::Attention)
                return 0.0;
            // In lanes: half a warp's threads do half a warp's work.
            const double lanes = lanesInUse(context.trace.kernels().launch(i));
            const double occupancy = residencyOf(context.trace, i).occupancy * 100 * lanes;
            return occupancy > 0 && occupancy < most ? 1.0 : 0.0;
        });
    std::vector<Finding> findings;
    for (auto& [key, sums] : found) {
        if (!context.reachesShare(occupancyId, occupancyMinShare, sums.time, sums.all))
            continue;
        longestToFront(context.trace, sums.kernels);
        Finding finding = findingOn(context, key.first, key.second, 0);
        finding.severity = Severity::Info; // whether it costs time depends on the kernel's bottleneck
        finding.confidence = Confidence::Possible;
        const MostWasteful first = mostWasteful(context.trace, sums.kernels);
        finding.title = Message("low_occupancy.title",
            "{gpu}: {kernels, plural, one {# kernel has} other {# kernels have}} a theoretical occupancy below "
            "{max}%{names, plural, one {: {kernel}} other {, mostly {kernel}}}",
            {{"gpu", Name{gpuName(context.trace, key.first, key.second)}},
                {"kernels", Count{sums.kernels.size()}}, {"max", Number{most, 0}},
                {"names", Count{first.names}}, {"kernel", Name{first.name}}});
        finding.message = Message("low_occupancy.time", "They take {time}, {share} of kernel time.",
            {{"time", Duration{sums.time}}, {"share", Share{shareOf(sums.time, sums.all)}}});
        finding.message += limitText(context.trace, sums.kernels.front().index);
        finding.remedy = remedyForLimit(context.trace, sums.kernels.front().index);
        if (finding.remedy.empty() && gpuMakerOf(context.trace) != GpuMaker::Nvidia)
            finding.remedy
                = Message("low_occupancy.profile", "Check with {profiler} whether threads stall on memory.",
                      {{"profiler", kernelProfilerOf(context.trace)}})
                + Message("low_occupancy.reduce",
                    "If they do, use fewer registers (__launch_bounds__), less shared memory per block, or another "
                    "block size.");
        setEvidence(finding, context.trace, sums.kernels, [&](EventRef event) {
            const KernelLaunch& launch = context.trace.kernels().launch(event.index);
            const double lanes = lanesInUse(launch);
            const double occupancy = residencyOf(context.trace, event.index).occupancy;
            return Message("low_occupancy.kernel",
                "{occupancy} occupancy{full, select, no { ({warps} counting warps that are not full)} other {}}: "
                "{launch}, {registers} registers per thread, {memory} shared memory per block",
                {{"occupancy", Share{occupancy * lanes}}, {"full", Name{lanes < 1 ? "no" : "yes"}},
                    {"warps", Share{occupancy}}, {"launch", Name{launchExtent(launch)}},
                    {"registers", Count{static_cast<std::uint64_t>(std::max(0, launch.registersPerThread))}},
                    {"memory",
                        Bytes{naturalOf(
                            std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory)}}});
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule lowOccupancy{
    .id = occupancyId,
    .title = "Low theoretical occupancy",
    .why
    = "A multiprocessor hides memory latency by switching between warps. With few resident warps it waits "
      "instead, unless each warp has enough independent work.",
    .remedy = "Check with Nsight Compute whether warps stall on memory. If they do, use fewer registers "
              "(__launch_bounds__, -maxrregcount), less shared memory per block, or another block size.",
    .caveat
    = "Occupancy is calculated from the launch, not measured. A memory-bound kernel may not gain from more warps.",
    .thresholds = occupancyThresholds,
    .applies = hasKernelSizes,
    .check = findLowOccupancy,
};

} // namespace warpline::low_occupancy
