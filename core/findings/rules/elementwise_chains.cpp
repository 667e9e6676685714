// Consecutive elementwise kernels: each reads and writes all of its data, which one fused kernel would do
// once.

#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/cure_edits.h"
#include "core/findings/elementwise_rows.h"
#include "core/findings/evidence.h"
#include "core/kernels/kernel_label.h"
#include "core/replay/cure_factors.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::elementwise_chains {

namespace {

constexpr std::string_view id = "elementwise_chains";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time saved", "%", 5};
constexpr Threshold minKernels{"min_kernels", "Minimum number of kernels in rows", "", 20};
constexpr Threshold minLength{
    "min_length_ns", "Shorter kernels, on average, cost their launches more", "ns", 5'000};
constexpr std::array thresholds{minShare, minKernels, minLength};
constexpr std::size_t maxNames = 4;

/// The longest of `kernels`.
std::vector<Message> longestLabels(const Trace& trace, const std::vector<EventRef>& kernels)
{
    const KernelTable& table = trace.kernels();
    std::map<StringId, Ns> byName;
    for (const EventRef& kernel : kernels)
        byName[table.name[kernel.index]] += table.duration[kernel.index];
    std::map<std::string, Ns> byLabel;
    for (const auto& [name, time] : byName) {
        const std::string_view whole = trace.text(name);
        const std::string shortName = shortFunctionName(whole);
        byLabel[std::string(kernelLabel(whole, shortName))] += time;
    }
    std::vector<std::pair<Ns, std::string>> sorted;
    for (const auto& [label, time] : byLabel)
        sorted.emplace_back(time, label);
    std::ranges::sort(sorted, std::greater{});
    std::vector<Message> list;
    for (std::size_t i = 0; i < std::min(sorted.size(), maxNames); ++i)
        list.push_back(Message("elementwise_chains.kernel", "{kernel} {time}",
            {{"kernel", Name{toUtf8(sorted[i].second)}}, {"time", Duration{sorted[i].first}}}));
    return list;
}

/// One kernel for each row; nothing where the GPU's peaks are not known.
Cure cureOf(
    const Trace& trace, const GpuFacts& gpu, const std::vector<EventRef>& kernels, std::size_t sequences)
{
    const Device* const device = trace.device(gpu.process, gpu.device);
    if (!device)
        return {};
    const KernelTable& table = trace.kernels();
    std::map<std::string_view, FusedPart> parts; // in an order that is the same each time
    for (const EventRef& kernel : kernels) {
        const std::string_view name = trace.text(table.name[kernel.index]);
        FusedPart& part = parts.try_emplace(name, FusedPart{{}, 0, 0}).first->second;
        part.kernel = name;
        part.time += table.duration[kernel.index];
        ++part.launches;
    }
    // Each sequence moves its data once.
    std::vector<FusedPart> chain;
    for (auto& [name, part] : parts) {
        part.time /= static_cast<Ns>(sequences);
        part.launches = std::max<std::uint64_t>(part.launches / sequences, 1);
        chain.push_back(part);
    }
    const auto factor = fusionFactor(*device, chain);
    Cure cure;
    if (factor)
        cure.edits.push_back(editOf(CureKind::FuseKernels, kernels, *factor));
    return cure;
}

void findElementwiseChains(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    const ElementwiseKernels found
        = elementwiseKernels(context.trace, facts, measured, context.stop, gpu.process, gpu.device);
    std::vector<EventRef> kernels;
    Ns time = 0;
    for (const ElementwiseRow& row : found.rows) {
        for (const EventIndex kernel : row.kernels)
            kernels.push_back({EventKind::Kernel, kernel});
        time += row.sum;
    }
    if (kernels.empty() || !context.reaches(id, minKernels, kernels.size())
        || static_cast<double>(time) < context.threshold(id, minLength) * static_cast<double>(kernels.size())
        || !context.reachesShare(id, minShare, found.saved(), facts.measured()))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, found.saved());
    finding.claims = timeOf(context.trace, kernels, measured);
    finding.title = Message("elementwise_chains.title",
        "{gpu}: {kernels, plural, one {# elementwise kernel runs} other {# elementwise kernels run}} in {rows, plural, one "
        "{# sequence} other {# sequences}} of {mean} on average: fuse them",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"kernels", Count{kernels.size()}},
            {"rows", Count{found.rows.size()}},
            {"mean",
                Number{static_cast<double>(kernels.size()) / static_cast<double>(found.rows.size()), 1}}});
    finding.message = Message("elementwise_chains.time", "They take {time}, {share} of kernel time.",
        {{"time", Duration{time}}, {"share", Share{shareOf(time, found.kernels)}}});
    finding.message += Message(
        "elementwise_chains.memory", "Each reads its input from memory and writes its result back.");
    finding.message += Message("elementwise_chains.saving", "One kernel per sequence saves up to {saving}.",
        {{"saving", Duration{finding.saving}}});
    finding.message += Message("elementwise_chains.longest", "The longest are {kernels}.",
        {{"kernels", longestLabels(context.trace, kernels)}});
    finding.cure = cureOf(context.trace, gpu, kernels, found.rows.size());
    longestToFront(context.trace, kernels);
    setEvidence(
        finding, context.trace, kernels, {"elementwise_chains.part", "in a sequence of elementwise kernels"});
    findings.push_back(std::move(finding));
}

/// Sees the same kernels, and less of why they are slow.
constexpr std::array<std::string_view, 1> chainAbsorbs{"below_roofline"};

} // namespace

extern constinit const Rule elementwiseChains{
    .id = id,
    .title = "Sequences of elementwise kernels",
    .why
    = "An elementwise kernel computes little and is memory-bound. A sequence of them moves the same data again for each "
      "operation; a fused kernel keeps it in registers.",
    .remedy
    = "Fuse each sequence into one kernel: with a compiler that fuses (torch.compile, XLA, cupy.fuse), a fused operator "
      "of a library, or your own kernel.",
    .caveat
    = "Consecutive kernels may work on different data: check whether each reads what the previous one wrote.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findElementwiseChains,
    .absorbs = chainAbsorbs,
};

} // namespace warpline::elementwise_chains
