// Tensors that cuDNN converts from NCHW to NHWC and back around each convolution: tensor cores take NHWC.

#include "core/analysis/trace_analysis.h"
#include "core/base/ascii_case.h"
#include "core/base/share.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/kernels/kernel_classes.h"
#include "core/kernels/short_name.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::layout_conversions {

namespace {

constexpr std::string_view id = "layout_conversions";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time that converts", "%", 2};
constexpr Threshold minCount{"min_count", "Minimum number of conversions", "", 8};
constexpr std::array thresholds{minShare, minCount};
// Normalization in NCHW has a block for each channel, which is few.
constexpr std::array<std::string_view, 1> absorbed{"tiny_grid"};
/// What normalization and pooling keep of their time in NHWC. Measured on an H200: 0.44.
constexpr FactorRange inNhwc{0.3, 0.5, 1};
constexpr double leastInNhwc = 0.1;

enum class Role : std::uint8_t { Other, Converts, Slow };

bool holds(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

Role roleOf(std::string_view kernel)
{
    const std::string function = lowered(shortNameOf(kernel));
    for (const std::string_view name : {"nchwtonhwc", "nhwctonchw", "nchw2nhwc", "nhwc2nchw"}) {
        if (holds(function, name))
            return Role::Converts;
    }
    const KernelClassRules& rules = kernelClassRules();
    const std::string_view kind = rules.classes()[rules.classOf(kernel)].id;
    const bool isSlow = (kind == "normalization" || kind == "pooling")
        && (holds(function, "nchw") || holds(function, "1c11"));
    return isSlow ? Role::Slow : Role::Other;
}

struct Layouts {
    std::vector<EventRef> conversions;
    std::vector<EventRef> slow; ///< normalization and pooling in NCHW
};

Layouts layoutsOn(const RuleContext& context, const GpuFacts& gpu)
{
    const Trace& trace = context.trace;
    const KernelTable& kernels = trace.kernels();
    const TimeRange measured = context.facts.measuredRange();
    OncePerName roleOfName([&](StringId name) { return roleOf(trace.text(name)); });
    Layouts found;
    forEachOfKind(gpu, EventKind::Kernel, context.stop, [&](EventRef event) {
        const Role role = roleOfName(kernels.name[event.index]);
        if (role == Role::Other || trace.range(event).clippedTo(measured).empty())
            return;
        const bool converts = role == Role::Converts;
        (converts ? found.conversions : found.slow).push_back(event);
    });
    return found;
}

void findConversions(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    Layouts found = layoutsOn(context, gpu);
    const Ns measured = context.facts.measured();
    const TimeRange range = context.facts.measuredRange();
    // Several streams may run at once.
    const Ns converting = totalTime(timeOf(context.trace, found.conversions, range));
    if (!context.reaches(id, minCount, found.conversions.size())
        || !context.reachesShare(id, minShare, converting, measured))
        return;
    std::vector<EventRef> all = found.conversions;
    all.insert(all.end(), found.slow.begin(), found.slow.end());
    Intervals claims = timeOf(context.trace, all, range);
    const Ns slow = totalTime(claims) - converting;
    const auto saved = converting + static_cast<Ns>((1 - leastInNhwc) * static_cast<double>(slow));
    Finding finding = findingOn(context, gpu.process, gpu.device, saved);
    finding.claims = std::move(claims);
    finding.title = Message("layout_conversions.title",
        "{gpu} converts tensors between NCHW and NHWC for {time} ({share} of the measured time)",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"time", Duration{converting}},
            {"share", Share{shareOf(converting, measured)}}});
    finding.message = Message("layout_conversions.count",
        "{kernels} kernels convert tensors around convolutions that take NHWC.",
        {{"kernels", Count{found.conversions.size()}}});
    if (!found.slow.empty())
        finding.message += Message("layout_conversions.slow",
            "Normalization and pooling in NCHW take {time}, about twice as long as in NHWC on an H200.",
            {{"time", Duration{slow}}});
    finding.cure.edits.push_back(editOf(CureKind::RemoveWork, found.conversions));
    if (!found.slow.empty())
        finding.cure.edits.push_back(editOf(CureKind::ScaleWork, found.slow, inNhwc));
    longestToFront(context.trace, found.conversions);
    setEvidence(finding, context.trace, found.conversions, {"layout_conversions.note", "converts a tensor"});
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule layoutConversions{
    .id = id,
    .title = "Tensors converted for convolutions",
    .why
    = "Convolutions on tensor cores take NHWC. With tensors in NCHW, cuDNN converts each input before and each result after.",
    .remedy = "Keep tensors in NHWC (channels last) from the first convolution to the last.",
    .caveat = "An operator without NHWC support converts back. Few channels gain less.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findConversions,
    .absorbs = absorbed,
};

} // namespace warpline::layout_conversions
