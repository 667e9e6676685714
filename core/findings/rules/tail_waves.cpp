// Kernels whose last wave of blocks leaves most multiprocessors idle. NCCL's kernels are small by design and
// do not count.

#include "core/analysis/trace_analysis.h"
#include "core/base/utf8.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_waste.h"
#include "core/operators/operator_text.h"
#include "core/query/kernel_occupancy.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline::tail_waves {

namespace {

constexpr std::string_view tailId = "tail_waves";
constexpr Threshold tailMinDuration{"min_duration_ns", "Shorter kernels do not count", "ns", 20'000};
constexpr Threshold maxWaves{"max_waves", "Kernels with more waves do not count", "", 4};
constexpr Threshold tailMinShare{"min_share", "Minimum wasted share of the kernels' time", "%", 15};
constexpr std::array tailThresholds{tailMinDuration, maxWaves, tailMinShare};

/// "compute has 40 blocks, of which 28 fit at once: 28, then 12."
Message wavesText(const Trace& trace, EventIndex kernel)
{
    const std::int64_t blocks = trace.kernels().launch(kernel).grid.volume();
    const auto atOnce = static_cast<std::int64_t>(
        std::llround(static_cast<double>(blocks) / residencyOf(trace, kernel).waves()));
    const std::int64_t whole = atOnce > 0 ? blocks / atOnce : 0;
    const auto count = [](std::int64_t number) { return Count{static_cast<std::uint64_t>(number)}; };
    return {"tail_waves.blocks",
        "{kernel} has {blocks} blocks, of which {fit} fit at once: {whole, plural, one {} other {# times }}{fit}, then {last}.",
        {{"kernel", Name{toUtf8(trace.displayName({EventKind::Kernel, kernel}))}}, {"blocks", count(blocks)},
            {"fit", count(atOnce)}, {"whole", count(whole > 1 ? whole : 1)},
            {"last", count(blocks - whole * atOnce)}}};
}

/// "It computes aten::mm [4096,4096] [4096,4096] BF16."; empty: its operator is not known.
Message operatorOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop)
{
    const auto rooflines = operatorRooflinesOf(trace, stop);
    const OperatorRun* const run = rooflines->works().runOf({EventKind::Kernel, kernel});
    if (run == nullptr || rooflines->works().shapeOf(*run).isKernel)
        return {};
    return Message("tail_waves.operator", "It computes {operator}.",
        {{"operator", Name{operatorLabel(rooflines->works().shapeOf(*run))}}});
}

/// The part of the time of `kernels` that is lost where blocks on one multiprocessor slow each other down: a
/// multiprocessor with fewer blocks is done sooner, however many fit at once.
Ns unevenTime(const Trace& trace, const std::vector<EventRef>& kernels, std::int64_t multiprocessors)
{
    double lost = 0;
    for (const EventRef& kernel : kernels) {
        const double each = static_cast<double>(trace.kernels().launch(kernel.index).grid.volume())
            / static_cast<double>(multiprocessors);
        lost += static_cast<double>(trace.kernels().duration[kernel.index])
            * (1 - each / std::max(1.0, std::ceil(each)));
    }
    return static_cast<Ns>(lost);
}

/// Suggests how one more block per multiprocessor would fit, when that avoids the last wave; else empty.
Message oneWaveRemedy(const Trace& trace, EventIndex kernel)
{
    const Residency residency = residencyOf(trace, kernel);
    Message remedy = residency.limit == ResidencyLimit::Registers
            && (residency.blocksAtOnce + 1) * residency.multiprocessors >= residency.blocks
        ? remedyForLimit(trace, kernel)
        : Message();
    if (!remedy.empty())
        remedy += Message("tail_waves.one_wave", "Then all {blocks} blocks run at once, in one wave.",
            {{"blocks", Count{static_cast<std::uint64_t>(residency.blocks)}}});
    return remedy;
}

std::vector<Finding> findTails(const RuleContext& context)
{
    auto found = measureWaste(context, static_cast<Ns>(context.threshold(tailId, tailMinDuration)),
        [&](EventIndex i, const Device&) {
            const double waves = residencyOf(context.trace, i).waves();
            return waves > 1 && waves < context.threshold(tailId, maxWaves) ? 1 - waves / std::ceil(waves)
                                                                            : 0.0;
        });
    std::vector<Finding> findings;
    for (auto& [key, sums] : found) {
        if (!context.reachesShare(tailId, tailMinShare, sums.lost, sums.all))
            continue;
        Finding finding = findingOn(context, key.first, key.second, static_cast<Ns>(sums.lost));
        finding.claims = timeOf(context.trace, sums.kernels, context.window);
        longestToFront(context.trace, sums.kernels);
        finding.confidence = Confidence::Possible;
        const MostWasteful most = mostWasteful(context.trace, sums.kernels);
        finding.title = Message("tail_waves.title",
            "{gpu}: last waves of {kernels, plural, one {# kernel} other {# kernels}} leave multiprocessors "
            "idle{names, plural, one {: {kernel}} other {, mostly {kernel}}}",
            {{"gpu", Name{gpuName(context.trace, key.first, key.second)}},
                {"kernels", Count{sums.kernels.size()}}, {"names", Count{most.names}},
                {"kernel", Name{most.name}}});
        finding.message = wavesText(context.trace, sums.kernels.front().index);
        finding.message += operatorOf(context.trace, sums.kernels.front().index, context.stop);
        finding.message += Message("tail_waves.last",
            "In the last wave, part of the GPU is idle: up to {saving} of {time} could be saved.",
            {{"time", Duration{sums.time}}, {"saving", Duration{finding.saving}}});
        const Ns uneven = unevenTime(
            context.trace, sums.kernels, context.trace.device(key.first, key.second)->multiprocessors);
        if (const Severity sure = std::max(Severity::Low, severityOf(context, uneven));
            sure < finding.severity) {
            finding.severity = sure;
            finding.lowered = Message("tail_waves.lowered",
                "it holds where blocks on one multiprocessor do not slow each other down; where they do, it is {time}",
                {{"time", Duration{uneven}}});
        }
        finding.remedy = oneWaveRemedy(context.trace, sums.kernels.front().index);
        setEvidence(finding, context.trace, sums.kernels, [&](EventRef event) {
            return Message("tail_waves.waves", "{waves} waves",
                {{"waves", Number{residencyOf(context.trace, event.index).waves(), 2}}});
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

/// Sees the same kernels, and less of why they are slow.
constexpr std::array<std::string_view, 1> tailAbsorbs{"below_roofline"};

} // namespace

extern constinit const Rule tailWaves{
    .id = tailId,
    .title = "Nearly empty last waves",
    .why
    = "Blocks run in waves of as many as fit at once. 1.1 waves take as long as 2, and in the second one nine tenths of "
      "the GPU are idle.",
    .remedy
    = "Choose grid and block so that the waves are whole or many: other tile sizes, a persistent kernel with a "
      "grid-stride loop, more work at once, or other kernels at the same time.",
    .caveat = "Calculated from the launch, not measured. A memory-bound kernel may not gain from more warps.",
    .thresholds = tailThresholds,
    .applies = hasKernelSizes,
    .check = findTails,
    .absorbs = tailAbsorbs,
};

} // namespace warpline::tail_waves
