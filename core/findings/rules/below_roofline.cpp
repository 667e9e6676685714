// Operators that take much longer than their arithmetic and traffic need, with the usual reason: few tiles, a
// nearly empty last wave, dimensions that do not align, little work a call.

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/run_facts.h"
#include "core/operators/operator_text.h"
#include "core/query/kernel_occupancy.h"
#include "core/replay/cure_factors.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "below_roofline";
constexpr Threshold maxRoofline{
    "max_roofline", "Operators above this share of their roofline do not count", "%", 50};
constexpr Threshold minLost{"min_lost", "Minimum share of the measured time above the roofline", "%", 5};
constexpr Threshold minLength{"min_length_ns", "Shorter kernels, on average, do not count", "ns", 5'000};
constexpr std::array thresholds{maxRoofline, minLost, minLength};
constexpr std::size_t mostNamed = 3;

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

/// Why `use` is slow, as far as its longest kernel and its shapes tell; empty: they do not.
std::string reasonOf(const Trace& trace, const ShapeUse& use, const OperatorShape& shape)
{
    if (use.longest.valid()) {
        const Residency residency = residencyOf(trace, use.longest.index);
        const double waves = residency.waves();
        if (residency.multiprocessors > 0 && residency.blocks > 0
            && residency.blocks < residency.multiprocessors)
            return fmt::format("few tiles: {} for {} multiprocessors",
                counted(static_cast<std::uint64_t>(residency.blocks), "block"), residency.multiprocessors);
        constexpr double nearlyEmpty = 0.5;
        constexpr double fewWaves = 4;
        const double last = waves - std::floor(waves);
        if (shape.unit == MathUnit::Tensor && waves > 1 && waves < fewWaves && last > 0 && last < nearlyEmpty)
            return fmt::format("its last wave fills {} of the GPU", formatShare(last));
    }
    if (shape.unit == MathUnit::Tensor) {
        const std::int64_t alignment = alignmentOf(shape.arithmetic);
        if (const std::int64_t odd = unalignedDimension(shape.shapes, alignment); odd != 0)
            return fmt::format("dimension {} is no multiple of {}", odd, alignment);
    }
    if (shape.kernelClass == "moe")
        return "few tokens for each expert";
    if (use.kernels > use.calls)
        return fmt::format("{} for each call: a fused one moves the data once",
            counted(static_cast<std::uint64_t>(
                        std::llround(static_cast<double>(use.kernels) / static_cast<double>(use.calls))),
                "kernel"));
    constexpr double little = 20'000; // ns
    const double each
        = static_cast<double>(use.gpu) / static_cast<double>(std::max<std::uint64_t>(1, use.kernels));
    return each < little ? "little work in each call" : std::string();
}

std::vector<ShapeUse> slowUses(const RuleContext& context, const OperatorRooflines& rooflines,
    const OperatorGpu& gpu, TimeRange measured)
{
    std::vector<ShapeUse> uses = rooflines.shapesOn(context.trace, gpu, measured, context.stop);
    std::erase_if(uses, [&](const ShapeUse& use) {
        const double each
            = static_cast<double>(use.gpu) / static_cast<double>(std::max<std::uint64_t>(1, use.kernels));
        return use.bound == RooflineBound::Unknown || use.bound == RooflineBound::Launch
            || use.share() * 100 >= context.threshold(id, maxRoofline)
            || each < context.threshold(id, minLength)
            || isLeftToOthers(rooflines.works().shapes[use.shape], use.roofline);
    });
    std::ranges::stable_sort(uses, std::ranges::greater{}, &ShapeUse::lost);
    return uses;
}

/// Kernels of shapes that reach about as much of their roofline: one edit of the cure.
struct AlikeUses {
    double roofline = 0; // ns
    Ns time = 0;
    std::vector<EventRef> kernels;
};

/// By share of the roofline, in tenths. Each has a factor of its own: a replay of hundreds of edits takes too
/// long.
using UsesByShare = std::map<int, AlikeUses>;

/// Each kernel as near to its roofline as tuned ones come, at worst as near as the rule asks for.
Cure cureOf(const RuleContext& context, UsesByShare& alike)
{
    Cure cure;
    for (auto& [tenth, uses] : alike)
        cure.edits.push_back(editOf(CureKind::ScaleWork, std::move(uses.kernels),
            rooflineFactor(
                uses.roofline / static_cast<double>(uses.time), context.threshold(id, maxRoofline) / 100)));
    return cure;
}

/// "aten::mm [8,1000] [1000,1000] BF16 reaches 12%, 1.20 ms above its roofline (few tiles: ...)"
std::string useText(const RuleContext& context, const OperatorRooflines& rooflines, const ShapeUse& use)
{
    const OperatorShape& shape = rooflines.works().shapes[use.shape];
    const std::string reason = reasonOf(context.trace, use, shape);
    return fmt::format("{} reaches {} in {}, {} above its roofline{}.", operatorLabel(shape),
        formatShare(use.share()), counted(use.calls, "call"), formatDuration(use.lost()),
        reason.empty() ? std::string() : " (" + reason + ")");
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
            AlikeUses& alike = byShare[static_cast<int>(use.share() * 10)];
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
        if (uses.empty()
            || static_cast<double>(saving) * 100
                < context.threshold(id, minLost) * static_cast<double>(context.facts.measured()))
            continue;
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.confidence = Confidence::Possible;
        finding.saving = saving;
        finding.cure = cureOf(context, byShare);
        finding.severity = severityOf(context, saving);
        // Other rules know why with more right.
        const Severity most = hostPaces ? Severity::Low : Severity::Medium;
        if (finding.severity > most) {
            finding.severity = most;
            finding.lowered = hostPaces ? "launches of the host would soon set the pace"
                                        : "no kernel reaches its roofline in full";
        }
        finding.claims = timeOf(context.trace, kernels, measured);
        finding.title = fmt::format("{}: {} below {} of their roofline",
            gpuName(context.trace, gpu.process, gpu.device),
            counted(uses.size(), "operator shape is", "operator shapes are"),
            formatShare(context.threshold(id, maxRoofline) / 100));
        finding.message = fmt::format("They take {}, {} more than the limits of {} ask for.",
            formatDuration(time), formatDuration(lost), gpu.peaks->name);
        for (std::size_t i = 0; i < std::min(uses.size(), mostNamed); ++i)
            finding.message += " " + useText(context, *rooflines, uses[i]);
        if (hostPaces)
            finding.message += fmt::format(
                " The host waits for the GPU for {} only: once that is saved, its launches set the pace.",
                formatDuration(slack));
        longestToFront(context.trace, kernels);
        setEvidence(finding, context.trace, kernels, [&](EventRef kernel) {
            const OperatorRun* const run = rooflines->works().runOf(kernel);
            return run ? operatorLabel(rooflines->works().shapeOf(*run)) : std::string();
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
    = "The roofline of an operator is the longer of two times: its FLOPs at the GPU's peak, and its bytes at "
      "the memory's bandwidth. What takes much longer leaves most of both unused.",
    .remedy
    = "Make dimensions multiples of 8 (16-bit types) or 16 (FP8), batch small products into larger ones, "
      "and fuse operators that move the same data (torch.compile, fused attention and normalization). "
      "The panel Roofline shows each operator.",
    .caveat
    = "FLOPs and bytes are those that the operator needs at least. A kernel that runs beside others, or reads "
      "what a cache holds, is judged by more than it has or needs.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace,
                   const std::stop_token& stop) { return !operatorRooflinesOf(trace, stop)->empty(); },
    .check = findBelowRoofline,
};

} // namespace warpline
