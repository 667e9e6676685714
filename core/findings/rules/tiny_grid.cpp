// Kernels that cannot fill the GPU: fewer blocks than multiprocessors, down to a single thread. NCCL's
// kernels are small on purpose and do not count.

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/migrations.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_waste.h"
#include "core/kernels/kernel_names.h"
#include "core/replay/cure_factors.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::tiny_grid {

namespace {

constexpr std::string_view tinyId = "tiny_grid";
constexpr Threshold tinyMinDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 10'000};
constexpr Threshold tinyMinShare{"min_share", "Minimum wasted share of the kernels' time", "%", 5};
constexpr std::array tinyThresholds{tinyMinDuration, tinyMinShare};
constexpr std::array<std::string_view, 1> tinyAbsorbs{"tail_waves"};

/// True where warps of any of `events` have lanes without a thread.
bool isPartial(const KernelTable& kernels, const std::vector<EventRef>& events)
{
    return std::ranges::any_of(
        events, [&](EventRef event) { return lanesInUse(kernels.launch(event.index)) < 1; });
}

/// Enough blocks for each kernel of `events`.
Cure cureOf(const Trace& trace, const Device& device, const std::vector<EventRef>& events)
{
    const KernelTable& kernels = trace.kernels();
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<EventRef>> byShape; // blocks, threads
    for (const EventRef& event : events) {
        const KernelLaunch& launch = kernels.launch(event.index);
        byShape[{launch.grid.volume(), launch.block.volume()}].push_back(event);
    }
    Cure cure;
    for (auto& [shape, ofShape] : byShape)
        cure.edits.push_back(editOf(
            CureKind::ScaleWork, std::move(ofShape), parallelismFactor(device, shape.first, shape.second)));
    return cure;
}

std::vector<Finding> findTiny(const RuleContext& context)
{
    const KernelTable& kernels = context.trace.kernels();
    const Ns shortest = static_cast<Ns>(context.threshold(tinyId, tinyMinDuration));
    auto found = measureWaste(context, shortest, [&](EventIndex i, const Device& device) {
        const double blocks = static_cast<double>(kernels.launch(i).grid.volume());
        const double used = blocks / device.multiprocessors;
        return used < 1 ? 1 - used * lanesInUse(kernels.launch(i)) : 0.0;
    });
    std::vector<Finding> findings;
    for (auto& [key, sums] : found) {
        if (!context.reachesShare(tinyId, tinyMinShare, sums.lost, sums.all))
            continue;
        const std::int32_t units = context.trace.device(key.first, key.second)->multiprocessors;
        const IdleShares idle = idleBeside(context, key, sums.kernels, units);
        if (!context.reachesShare(
                tinyId, tinyMinShare, idle.units * static_cast<double>(sums.time), sums.all))
            continue;
        const auto single
            = static_cast<std::uint64_t>(std::ranges::count_if(sums.kernels, [&](EventRef event) {
                  const KernelLaunch& launch = kernels.launch(event.index);
                  return launch.grid.volume() == 1 && launch.block.volume() == 1;
              }));
        // More blocks bring no page of unified memory sooner: that time is not theirs to save.
        const Intervals time = timeOf(context.trace, sums.kernels, context.window);
        longestToFront(context.trace, sums.kernels);
        Intervals claims = difference(time,
            migrationTime(
                context.trace, key.first, context.facts.pageWaits(key), context.window, context.stop));
        const auto spread = static_cast<Ns>(idle.units * static_cast<double>(totalTime(claims)));
        Finding finding = findingOn(context, key.first, key.second, spread);
        finding.saving
            = static_cast<Ns>(std::max(idle.warps, idle.units) * static_cast<double>(totalTime(claims)));
        if (severityOf(context, finding.saving) > finding.severity)
            finding.lowered
                = Message("tiny_grid.lowered", "more warps on each multiprocessor may save nothing");
        finding.claims = std::move(claims);
        finding.confidence = Confidence::Certain;
        const MostWasteful most = mostWasteful(context.trace, sums.kernels);
        const Name gpuLabel{gpuName(context.trace, key.first, key.second)};
        finding.title = single > 0
            ? Message("tiny_grid.single_title",
                "{gpu}: {kernels, plural, one {# kernel has} other {# kernels have}} a single thread{names, plural, one {: "
                "{kernel}} other {, mostly {kernel}}}",
                {{"gpu", gpuLabel}, {"kernels", Count{single}}, {"names", Count{most.names}},
                    {"kernel", Name{most.name}}})
            : Message("tiny_grid.title",
                "{gpu}: {kernels, plural, one {# kernel} other {# kernels}}{shorter, plural, =0 {} other { of {shortest} or "
                "longer}} {kernels, plural, one {has} other {have}} fewer blocks than multiprocessors{names, plural, one {: "
                "{kernel}} other {, mostly {kernel}}}",
                {{"gpu", gpuLabel}, {"kernels", Count{sums.kernels.size()}}, {"shorter", Count{sums.shorter}},
                    {"shortest", Duration{shortest}}, {"names", Count{most.names}},
                    {"kernel", Name{most.name}}});
        const bool isShared = (idle.units + 0.01) * static_cast<double>(sums.time) < sums.lost;
        const TimeRange session = context.trace.session;
        const bool isWhole = context.window.start <= session.start && context.window.end >= session.end;
        finding.message = Message("tiny_grid.kernels",
            "{whole, select, yes {In the whole recording} other {In the range}}, {kernels, plural, one {# kernel} other {# "
            "kernels}} of {shortest} or longer {kernels, plural, one {has} other {have}} fewer blocks than the GPU's {units} "
            "multiprocessors.",
            {{"whole", yesOrNo(isWhole)}, {"kernels", Count{sums.kernels.size()}},
                {"shortest", Duration{shortest}}, {"units", Count{static_cast<std::uint64_t>(units)}}});
        finding.message += Message("tiny_grid.time",
            "They take {time}, {share} of kernel time, and leave {idle} of the GPU idle{shared, select, yes {, counting "
            "concurrent kernels together} other {}}.",
            {{"time", Duration{sums.time}}, {"share", Share{shareOf(sums.time, sums.all)}},
                {"idle", Share{idle.units}}, {"shared", yesOrNo(isShared)}});
        if (single > 0)
            finding.message += Message("tiny_grid.single",
                "A single thread uses one of the 32 lanes of a warp on one multiprocessor.");
        finding.message += Message("tiny_grid.saving",
            "Using all multiprocessors{lanes, select, yes { and all lanes of their warps} other {}} could save up to "
            "{spread}, and full multiprocessors up to {saving}.",
            {{"lanes", yesOrNo(isPartial(kernels, sums.kernels))}, {"spread", Duration{spread}},
                {"saving", Duration{finding.saving}}});
        if (sums.shorter > 0)
            finding.message += Message("tiny_grid.shorter",
                "Not included: {kernels, plural, one {# kernel} other {# kernels}} shorter than {shortest} ({time}), whose "
                "launches cost more.",
                {{"kernels", Count{sums.shorter}}, {"shortest", Duration{shortest}},
                    {"time", Duration{sums.shorterTime}}});
        finding.cure = cureOf(context.trace, *context.trace.device(key.first, key.second), sums.kernels);
        Ns ofSolvers = 0;
        for (const EventRef& kernel : sums.kernels)
            ofSolvers
                += isSolverKernel(context.trace.name(kernel)) ? context.trace.range(kernel).duration() : 0;
        if (ofSolvers * 2 > totalDuration(context.trace, sums.kernels)) {
            finding.topic = "tiny_grid.solver";
            finding.remedy
                = Message("tiny_grid.solver",
                      "These are library kernels (cuSOLVER), whose grid follows from the size of the matrix.")
                + Message("tiny_grid.batch",
                    "Solve several matrices in one call (batched functions), use another algorithm "
                    "(cusolverDn<t>gesvda, polar decomposition), or solve them on the CPU.");
        }
        setEvidence(finding, context.trace, sums.kernels, [&](EventRef event) {
            return Message("tiny_grid.launch", "{launch} on {units} multiprocessors",
                {{"launch", Name{launchExtent(kernels.launch(event.index))}},
                    {"units", Count{static_cast<std::uint64_t>(units)}}});
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule tinyGrid{
    .id = tinyId,
    .title = "Kernels too small for the GPU",
    .why
    = "A block runs on one multiprocessor. With fewer blocks than multiprocessors, the rest of the GPU waits until "
      "the kernel ends.",
    .remedy
    = "Use more blocks: one thread per element, a tree reduction (or CUB, Thrust) instead of one thread that "
      "sums, split-K for matrix products. Or merge the step into the previous kernel, or run it next to other "
      "kernels in a separate stream.",
    .caveat = "Calculated from the launch, not measured. A memory-bound kernel may not gain from more warps.",
    .thresholds = tinyThresholds,
    .applies = hasKernelSizes,
    .check = findTiny,
    .absorbs = tinyAbsorbs,
};

} // namespace warpline::tiny_grid
