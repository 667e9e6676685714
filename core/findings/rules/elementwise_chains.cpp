// Elementwise kernels that follow one another: each reads all of its data from memory and writes it back,
// which one kernel for all of them would do once.

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/cure_edits.h"
#include "core/findings/elementwise_rows.h"
#include "core/findings/evidence.h"
#include "core/findings/run_facts.h"
#include "core/kernels/kernel_label.h"
#include "core/replay/cure_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "elementwise_chains";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time saved", "%", 5};
constexpr Threshold minKernels{"min_kernels", "Minimum number of kernels in rows", "", 20};
constexpr Threshold minLength{
    "min_length_ns", "Shorter kernels, on average, cost their launches more", "ns", 5'000};
constexpr std::array thresholds{minShare, minKernels, minLength};
constexpr std::size_t mostNames = 4;

/// "MulFunctor 66.5 ms, sigmoid_kernel_cuda 44.8 ms": what takes most of `kernels`.
std::string longestLabels(const Trace& trace, const std::vector<EventRef>& kernels)
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
    std::string text;
    for (std::size_t i = 0; i < std::min(sorted.size(), mostNames); ++i)
        text += fmt::format(
            "{}{} {}", i > 0 ? ", " : "", toUtf8(sorted[i].second), formatDuration(sorted[i].first));
    return text;
}

/// One kernel for each row; nothing where the GPU's peaks are not known.
Cure cureOf(const Trace& trace, const GpuFacts& gpu, const std::vector<EventRef>& kernels)
{
    const Device* const device = trace.device(gpu.process, gpu.device);
    if (!device)
        return {};
    const KernelTable& table = trace.kernels();
    std::map<StringId, FusedPart> parts;
    for (const EventRef& kernel : kernels) {
        FusedPart& part = parts.try_emplace(table.name[kernel.index], FusedPart{{}, 0, 0}).first->second;
        part.kernel = trace.text(table.name[kernel.index]);
        part.time += table.duration[kernel.index];
        ++part.launches;
    }
    std::vector<FusedPart> chain;
    for (const auto& [name, part] : parts)
        chain.push_back(part);
    const auto factor = fusionFactor(*device, chain);
    Cure cure;
    if (factor)
        cure.edits.push_back(editOf(CureKind::FuseKernels, kernels, *factor));
    return cure;
}

std::vector<Finding> findElementwiseChains(const RuleContext& context)
{
    std::vector<Finding> findings;
    RunFacts& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    for (const GpuFacts& gpu : facts.gpus()) {
        const ElementwiseKernels found
            = elementwiseKernels(context.trace, facts, measured, context.stop, gpu.process, gpu.device);
        std::vector<EventRef> kernels;
        Ns time = 0;
        for (const ElementwiseRow& row : found.rows) {
            for (const EventIndex kernel : row.kernels)
                kernels.push_back({EventKind::Kernel, kernel});
            time += row.sum;
        }
        if (kernels.empty() || static_cast<double>(kernels.size()) < context.threshold(id, minKernels)
            || static_cast<double>(time)
                < context.threshold(id, minLength) * static_cast<double>(kernels.size())
            || static_cast<double>(found.saved()) * 100
                < context.threshold(id, minShare) * static_cast<double>(facts.measured()))
            continue;
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.saving = found.saved();
        finding.severity = severityOf(context, finding.saving);
        finding.claims = timeOf(context.trace, kernels, measured);
        finding.title = fmt::format("{}: {} elementwise kernels run in {}, {} on average: fuse them",
            nameOf(context.trace, gpu), formatCount(kernels.size()), counted(found.rows.size(), "row"),
            formatReal(static_cast<double>(kernels.size()) / static_cast<double>(found.rows.size()), 1));
        finding.message = fmt::format(
            "They take {}, {} of the kernels' time. Each reads its input from memory and writes its result "
            "back. One kernel for each row saves up to {}. Most: {}.",
            formatDuration(time), formatShare(shareOf(time, found.kernels)), formatDuration(finding.saving),
            longestLabels(context.trace, kernels));
        finding.cure = cureOf(context.trace, gpu, kernels);
        longestToFront(context.trace, kernels);
        setEvidence(finding, context.trace, kernels,
            [](EventRef) { return std::string("in a row of elementwise kernels"); });
        findings.push_back(std::move(finding));
    }
    return findings;
}

/// Sees the same kernels, and less of why they are slow.
constexpr std::array<std::string_view, 1> chainAbsorbs{"below_roofline"};

} // namespace

extern constinit const Rule elementwiseChains{
    .id = id,
    .title = "Rows of elementwise kernels",
    .why = "An elementwise kernel computes little and is bound by memory. A row of them moves the same data "
           "again for each operation; a fused kernel keeps it in registers.",
    .remedy
    = "Fuse each row to one kernel: a compiler that fuses (torch.compile, XLA, cupy.fuse), a library's "
      "fused operator, or a kernel of your own.",
    .caveat
    = "Kernels that follow one another need not work on the same data: see whether each reads what the one before wrote.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace, const std::stop_token&) { return !trace.kernels().empty(); },
    .check = findElementwiseChains,
    .absorbs = chainAbsorbs,
};

} // namespace warpline
