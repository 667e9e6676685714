// Operators that take much longer than their arithmetic and traffic need, with the usual reason: few tiles, a
// nearly empty last wave, unaligned dimensions, little work per call.

#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/operators/operator_text.h"
#include "core/query/kernel_occupancy.h"
#include "core/replay/cure_factors.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace warpline::below_roofline {

namespace {

constexpr std::string_view id = "below_roofline";
constexpr Threshold maxRoofline{
    "max_roofline", "Operators above this share of their roofline do not count", "%", 50};
constexpr Threshold minLost{"min_lost", "Minimum share of the measured time above the roofline", "%", 5};
constexpr Threshold minLength{"min_length_ns", "Shorter kernels, on average, do not count", "ns", 5'000};
constexpr std::array thresholds{maxRoofline, minLost, minLength};
constexpr std::size_t maxNamed = 3;

/// Products in FP32 are no_tensor_cores' business.
bool isLeftToOthers(const OperatorShape& shape, const Roofline& roofline)
{
    const bool multiplies = shape.kernelClass == "gemm" || shape.kernelClass == "attention"
        || shape.kernelClass == "convolution";
    return multiplies && roofline.roof.type == MathType::Fp32;
}

/// Elements in 16 bytes, which tensor cores load at once; 0: not known.
std::int64_t alignmentOf(MathType type)
{
    switch (type) {
    case MathType::Fp8:
    case MathType::Int8:
        return 16;
    case MathType::Bf16:
    case MathType::Fp16:
    case MathType::Any16:
        return 8;
    case MathType::Tf32:
    case MathType::Fp32:
        return 4;
    default:
        return 0;
    }
}

/// A last dimension of a tensor of at least two in `shapes` (JSON) that is no multiple of `alignment`; 0: all
/// are.
std::int64_t unalignedDimension(std::string_view shapes, std::int64_t alignment)
{
    for (std::size_t end = shapes.find(']'); alignment > 0 && end != std::string_view::npos;
         end = shapes.find(']', end + 1)) {
        const std::size_t comma = shapes.find_last_of(",[", end);
        if (comma == std::string_view::npos || shapes[comma] != ',')
            continue;
        std::int64_t dimension = 0;
        const auto [rest, error] = std::from_chars(shapes.data() + comma + 1, shapes.data() + end, dimension);
        if (error == std::errc() && rest == shapes.data() + end && dimension % alignment != 0)
            return dimension;
    }
    return 0;
}

/// The same for a convolution, whose channels are the dimensions for tensor cores. Shapes begin with its
/// input and weight, [batch, channels, ...] and [channels, channels, ...].
std::int64_t unalignedChannels(std::string_view shapes, std::int64_t alignment)
{
    for (std::size_t open = shapes.find('[', 1); alignment > 0 && open != std::string_view::npos;
         open = shapes.find('[', open + 1)) {
        const std::size_t comma = shapes.find_first_of(",]", open);
        if (comma == std::string_view::npos || shapes[comma] != ',')
            continue;
        std::int64_t channels = 0;
        const auto [rest, error]
            = std::from_chars(shapes.data() + comma + 1, shapes.data() + shapes.size(), channels);
        if (error == std::errc() && channels % alignment != 0)
            return channels;
    }
    return 0;
}

/// Why `use` is slow, by its longest kernel and its shapes; empty: unknown.
Message reasonOf(const Trace& trace, const ShapeUse& use, const OperatorShape& shape)
{
    if (use.longest.valid()) {
        const Residency residency = residencyOf(trace, use.longest.index);
        const double waves = residency.waves();
        if (residency.multiprocessors > 0 && residency.blocks > 0
            && residency.blocks < residency.multiprocessors)
            return {"below_roofline.few_tiles",
                "few tiles: {blocks, plural, one {# block} other {# blocks}} for {units} multiprocessors",
                {{"blocks", Count{static_cast<std::uint64_t>(residency.blocks)}},
                    {"units", Count{static_cast<std::uint64_t>(residency.multiprocessors)}}}};
        constexpr double nearlyEmpty = 0.5;
        constexpr double fewWaves = 4;
        const double last = waves - std::floor(waves);
        if (shape.unit == MathUnit::Tensor && waves > 1 && waves < fewWaves && last > 0 && last < nearlyEmpty)
            return {"below_roofline.last_wave", "its last wave fills {share} of the GPU",
                {{"share", Share{last}}}};
    }
    if (shape.unit == MathUnit::Tensor) {
        const std::int64_t alignment = alignmentOf(shape.arithmetic);
        const std::int64_t odd = shape.kernelClass == "convolution"
            ? unalignedChannels(shape.shapes, alignment)
            : unalignedDimension(shape.shapes, alignment);
        if (odd != 0)
            return {"below_roofline.alignment", "dimension {dimension} is not a multiple of {alignment}",
                {{"dimension", Ordinal{odd}}, {"alignment", Ordinal{alignment}}}};
    }
    if (shape.kernelClass == "moe")
        return {"below_roofline.experts", "few tokens per expert"};
    if (use.kernels > use.calls)
        return {"below_roofline.fuse",
            "{kernels, plural, one {# kernel} other {# kernels}} per call: a fused one moves the data once",
            {{"kernels",
                Count{static_cast<std::uint64_t>(
                    std::llround(static_cast<double>(use.kernels) / static_cast<double>(use.calls)))}}}};
    constexpr double little = 20'000; // ns
    const double each
        = static_cast<double>(use.gpu) / static_cast<double>(std::max<std::uint64_t>(1, use.kernels));
    return each < little ? Message("below_roofline.little", "little work per call") : Message();
}

double reachedOf(const OperatorShape& shape, const OperatorGpu& gpu)
{
    return reachedRoofline(shape.kernelClass, gpu.peaks && gpu.peaks->amd);
}

/// Operators whose tuned kernels reach less have a lower threshold.
double mostShare(const RuleContext& context, double reached)
{
    const double usual = reachedRoofline({}, false);
    return context.threshold(id, maxRoofline) / 100 * std::min(1.0, reached / usual);
}

std::vector<ShapeUse> slowUses(const RuleContext& context, const OperatorRooflines& rooflines,
    const OperatorGpu& gpu, TimeRange measured)
{
    std::vector<ShapeUse> uses = rooflines.shapesOn(context.trace, gpu, measured, context.stop);
    std::erase_if(uses, [&](const ShapeUse& use) {
        const OperatorShape& shape = rooflines.works().shapes[use.shape];
        const double each
            = static_cast<double>(use.gpu) / static_cast<double>(std::max<std::uint64_t>(1, use.kernels));
        return use.bound == RooflineBound::Unknown || use.bound == RooflineBound::Launch
            || use.share() >= mostShare(context, reachedOf(shape, gpu))
            || each < context.threshold(id, minLength) || isLeftToOthers(shape, use.roofline);
    });
    std::ranges::stable_sort(uses, std::ranges::greater{}, &ShapeUse::lost);
    return uses;
}

/// Kernels of shapes that reach a similar share of their roofline: one edit of the cure.
struct AlikeUses {
    double roofline = 0; // ns
    Ns time = 0;
    std::vector<EventRef> kernels;
};

/// By the share that tuned kernels reach, and by share of the roofline in tenths. Each group has one factor,
/// because a replay of hundreds of edits takes too long.
using UsesByShare = std::map<std::pair<double, int>, AlikeUses>;

/// Each kernel as near to its roofline as tuned ones come, at worst as near as the rule asks for.
Cure cureOf(const RuleContext& context, UsesByShare& alike)
{
    Cure cure;
    for (auto& [key, uses] : alike)
        cure.edits.push_back(editOf(CureKind::ScaleWork, std::move(uses.kernels),
            rooflineFactor(
                uses.roofline / static_cast<double>(uses.time), key.first, mostShare(context, key.first))));
    return cure;
}

/// "aten::mm [8,1000] [1000,1000] BF16 reaches 12%, 1.20 ms above its roofline (few tiles: ...)"
Message useText(const RuleContext& context, const OperatorRooflines& rooflines, const ShapeUse& use)
{
    const OperatorShape& shape = rooflines.works().shapes[use.shape];
    const Message reason = reasonOf(context.trace, use, shape);
    return {"below_roofline.use",
        "{operator} reaches {share} in {calls, plural, one {# call} other {# calls}}, {lost} above its roofline{known, select, "
        "yes { ({reason})} other {}}.",
        {{"operator", Name{operatorLabel(shape)}}, {"share", Share{use.share()}}, {"calls", Count{use.calls}},
            {"lost", Duration{use.lost()}}, {"known", Name{reason.empty() ? "no" : "yes"}},
            {"reason", reason}}};
}

std::vector<Finding> findBelowRoofline(const RuleContext& context)
{
    std::vector<Finding> findings;
    const TimeRange measured = context.facts.measuredRange();
    const auto rooflines = operatorRooflinesOf(context.trace, context.stop);
    for (const OperatorGpu& gpu : rooflines->gpus()) {
        if (!gpu.peaks)
            continue;
        const std::vector<ShapeUse> uses = slowUses(context, *rooflines, gpu, measured);
        Ns lost = 0;
        Ns time = 0;
        std::vector<EventRef> kernels;
        UsesByShare byShare;
        for (const ShapeUse& use : uses) {
            lost += use.lost();
            time += use.gpu;
            const double reached = reachedOf(rooflines->works().shapes[use.shape], gpu);
            AlikeUses& alike = byShare[{reached, static_cast<int>(use.share() * 10)}];
            alike.roofline += use.roofline.ns();
            alike.time += use.gpu;
            for (const EventRef kernel : rooflines->kernelsOf(context.trace, gpu, use.shape, measured)) {
                alike.kernels.push_back(kernel);
                kernels.push_back(kernel);
            }
        }
        const Ns slack = hostSlack(context, gpu.process);
        const bool hostPaces = slack > 0 && slack < lost;
        const Ns saving = hostPaces ? slack : lost;
        if (uses.empty() || !context.reachesShare(id, minLost, saving, context.facts.measured()))
            continue;
        Finding finding = findingOn(context, gpu.process, gpu.device, saving);
        finding.confidence = Confidence::Possible;
        finding.cure = cureOf(context, byShare);
        // Other rules know why with more right.
        const Severity most = hostPaces ? Severity::Low : Severity::Medium;
        if (finding.severity > most) {
            finding.severity = most;
            finding.lowered = hostPaces
                ? Message(
                    "below_roofline.lowered_host", "kernel launches of the host would soon set the pace")
                : Message("below_roofline.lowered", "no kernel reaches its roofline in full");
        }
        finding.claims = timeOf(context.trace, kernels, measured);
        finding.title = Message("below_roofline.title",
            "{gpu}: {shapes, plural, one {# operator shape is} other {# operator shapes are}} below {share} of {shapes, "
            "plural, one {its} other {their}} roofline",
            {{"gpu", Name{gpuName(context.trace, gpu.process, gpu.device)}}, {"shapes", Count{uses.size()}},
                {"share", Share{context.threshold(id, maxRoofline) / 100}}});
        finding.message
            = Message("below_roofline.time", "They take {time}, {lost} more than at the limits of {gpu}.",
                {{"time", Duration{time}}, {"lost", Duration{lost}},
                    {"gpu", gpu.peaks->name}});
        for (std::size_t i = 0; i < std::min(uses.size(), maxNamed); ++i)
            finding.message += useText(context, *rooflines, uses[i]);
        if (hostPaces)
            finding.message += Message("below_roofline.host_paces",
                "The host waits only {time} for the GPU: after that, its launches set the pace.",
                {{"time", Duration{slack}}});
        longestToFront(context.trace, kernels);
        setEvidence(finding, context.trace, kernels, [&](EventRef kernel) {
            const OperatorRun* const run = rooflines->works().runOf(kernel);
            return run ? Message("below_roofline.operator", "{operator}",
                       {{"operator", Name{operatorLabel(rooflines->works().shapeOf(*run))}}})
                       : Message();
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule belowRoofline{
    .id = id,
    .title = "Operators far below their roofline",
    .why
    = "The roofline of an operator is the longer of two times: its FLOPs at the GPU's peak rate, and its bytes at the "
      "memory bandwidth. Work that takes much longer leaves most of both unused.",
    .remedy
    = "Make dimensions multiples of 8 (16-bit types) or 16 (FP8). Batch small products. Fuse operators that move the same data (torch.compile, fused attention and normalization). The Roofline panel shows each operator.",
    .caveat
    = "FLOPs and bytes are minimums. Kernels that run at the same time, or read cached data, do not match them.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace,
                   const std::stop_token& stop) { return !operatorRooflinesOf(trace, stop)->empty(); },
    .check = findBelowRoofline,
};

} // namespace warpline::below_roofline
