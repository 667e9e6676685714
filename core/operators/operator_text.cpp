#include "core/operators/operator_text.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/kernels/kernel_math.h"
#include "core/operators/product_tiles.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::size_t maxTensors = 3;

/// `value` with three significant digits and the prefix that fits.
std::string withPrefix(double value, const char* unit)
{
    static constexpr std::array<const char*, 7> prefixes{"", "k", "M", "G", "T", "P", "E"};
    std::size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < prefixes.size()) {
        value /= 1000;
        ++prefix;
    }
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f} {}{}", value, decimals, prefixes[prefix], unit);
}

} // namespace

std::string shapesLabel(const OperatorShape& shape)
{
    // JSON lists of lists: the innermost lists are tensors.
    std::string text;
    std::size_t tensors = 0;
    const std::string_view json = shape.shapes;
    for (std::size_t open = json.find('['); open != std::string_view::npos;) {
        const std::size_t next = json.find_first_of("[]", open + 1);
        if (next == std::string_view::npos)
            break;
        if (json[next] == ']' && next > open + 1 && ++tensors <= maxTensors)
            text += fmt::format("{}{}", text.empty() ? "" : " ", json.substr(open, next - open + 1));
        open = json.find('[', open + 1);
    }
    if (tensors > maxTensors)
        text += fmt::format(" +{}", tensors - maxTensors);
    return text;
}

std::string operatorLabel(const OperatorShape& shape)
{
    std::string text = shape.operatorName;
    if (const std::string shapes = shapesLabel(shape); !shapes.empty())
        text += " " + shapes;
    if (shape.arithmetic != MathType::Unknown)
        text += fmt::format(" {}", labelOf(shape.arithmetic));
    return text;
}

Message shapesAdvice(const Trace& trace)
{
    const bool ofProfiler = trace.info.tables.empty()
        || std::ranges::any_of(
            trace.nvtx().tracks, [&](const Track& track) { return trace.text(track.family) == "PyTorch"; });
    return {"operators.record_shapes",
        "{recorder, select, torch {PyTorch records them with torch.profiler.profile(record_shapes=True).} "
        "other {PyTorch records them with torch.autograd.profiler.emit_nvtx(record_shapes=True), nsys profile with --pytorch=autograd-shapes-nvtx.}}",
        {{"recorder", Name{ofProfiler ? "torch" : "nsys"}}}};
}

Message resultBoundSentence(const Trace& trace, EventIndex kernel)
{
    const std::string_view name = trace.text(trace.kernels().name[kernel]);
    if (mathOf(name).work == MathWork::Other)
        return {};
    const auto most = mostResultElements(name, trace.kernels().launch(kernel));
    return most ? Message("operators.result_bound",
               "Its result has at most {elements} elements (tile size times blocks).",
               {{"elements", Count{static_cast<std::uint64_t>(*most)}}})
                : Message();
}

std::string formatFlops(double perSecond)
{
    return perSecond > 0 ? withPrefix(perSecond, "FLOP/s") : "-";
}

std::string formatBandwidth(double bytesPerSecond)
{
    return bytesPerSecond > 0 ? withPrefix(bytesPerSecond, "B/s") : "-";
}

std::string formatFlopCount(double flops)
{
    return withPrefix(std::max(0.0, flops), "FLOP");
}

Message rooflineSentence(const ShapeUse& use, const GpuPeaks& peaks, RooflineSubject subject)
{
    if (!use.roofline.isKnown())
        return {};
    const bool isCompute = use.bound == RooflineBound::Compute;
    const double limit = isCompute ? use.roofline.roof.flops : peaks.bytesPerSecond;
    Message text("operators.roofline",
        "{subject, select, launch {The longest launch reaches} call {The operator's call with the longest launch reaches} other {It reaches}} {flops}{rates, select, both { and } other {}}{bytes}, {share} of the roofline of {gpu}. "
        "{bound, select, compute {Compute-bound ({roof} {limit}).} memory {Memory-bound ({limit}).} "
        "launch {Launch-bound: its kernels are about as short as kernels can be.} other {}}",
        {{"subject",
             Name{subject == RooflineSubject::LongestLaunch    ? "launch"
                     : subject == RooflineSubject::LongestCall ? "call"
                                                               : "use"}},
            {"flops", Name{use.flops > 0 ? formatFlops(use.flopsPerSecond()) : std::string()}},
            {"rates", Name{use.flops > 0 && use.bytes > 0 ? "both" : "one"}},
            {"bytes", Name{use.bytes > 0 ? formatBandwidth(use.bytesPerSecond()) : std::string()}},
            {"share", Share{use.share()}}, {"gpu", peaks.name},
            {"bound", Name{std::string(keyOf(use.bound))}},
            {"roof", isCompute ? roofText(use.roofline.roof, peaks.amd) : Message()},
            {"limit", Name{isCompute ? formatFlops(limit) : formatBandwidth(limit)}}});
    if (use.share() > 1.05)
        text += {"operators.above_roofline",
            "{compute, select, yes {Above 100%, the kernel computes less than is counted, like Winograd's algorithm, or a size was not recorded.} "
            "other {Above 100%, data comes from a cache.}}",
            {{"compute", yesOrNo(isCompute)}}};
    return text;
}

} // namespace warpline
