// Where the time of a busy GPU goes: its longest kernels, and the command that looks into the first of them.
// What happens inside a kernel is not in such a report.

#include "core/base/format.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/graph_time.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/kernel_totals.h"
#include "core/findings/run_facts.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view id = "top_kernels";
constexpr Threshold minBusy{"min_busy", "Minimum share of the measured time in kernels", "%", 50};
constexpr Threshold minShare{"min_share", "... or minimum share of one kernel in the kernels' time", "%", 50};
constexpr Threshold minTime{
    "min_time", "Minimum share of the measured time that it takes, where there are steps", "%", 3};
constexpr std::array thresholds{minBusy, minShare, minTime};
constexpr std::size_t named = 3;

/// Whether the longest kernels are where the time of `gpu` goes. In the steps of a program that waits for
/// something else they are not.
bool matters(const RuleContext& context, const GpuFacts& gpu, const KernelTotal& first, Ns all)
{
    RunFacts& facts = context.facts;
    const auto isOver = [&](Ns part, Ns whole, const Threshold& threshold) {
        return static_cast<double>(part) * 100
            >= context.threshold(id, threshold) * static_cast<double>(whole);
    };
    if (!facts.steps(gpu.process).empty() && !isOver(first.measured, facts.measured(), minTime))
        return false;
    return isOver(totalTime(gpu.compute, facts.measuredRange()), facts.measured(), minBusy)
        || isOver(first.time, all, minShare);
}

std::vector<Finding> findTop(const RuleContext& context)
{
    const Trace& trace = context.trace;
    std::vector<Finding> findings;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        const std::vector<KernelTotal> ranked = kernelTotals(context, gpu);
        Ns all = 0;
        for (const KernelTotal& total : ranked)
            all += total.time;
        // Kernels inside graphs traced as a whole are not in the report: those beside them may be crumbs.
        if (ranked.empty() || all <= 0 || graphTimeOf(trace, gpu) * 10 > all
            || !matters(context, gpu, ranked.front(), all))
            continue;
        const auto shareOf = [&](const KernelTotal& total) {
            return formatShare(static_cast<double>(total.time) / static_cast<double>(all));
        };
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.severity = Severity::Info;
        finding.confidence = Confidence::Certain;
        finding.subject = {Subject::Kind::Kernel, ranked.front().function};
        finding.title = fmt::format("{}: {} takes {} of the kernels' time", nameOf(trace, gpu),
            ranked.front().function, shareOf(ranked.front()));
        finding.message = "Where the GPU's time goes:";
        std::vector<EventRef> longest;
        for (std::size_t i = 0; i < std::min(named, ranked.size()); ++i) {
            const KernelTotal& total = ranked[i];
            longest.push_back(total.longest);
            finding.message += fmt::format("{} {} {} ({}, {}; the longest has {})", i > 0 ? ";" : "",
                total.function, shareOf(total), formatDuration(total.time),
                counted(total.launches, "launch", "launches"), launchShape(trace, total.longest.index));
        }
        finding.message
            += fmt::format(". Such a report cannot see inside a kernel: whether it is good, {} tells.",
                kernelProfilerOf(trace));
        if (const Ns waits = pageWaitOf(trace, ranked.front().longest.index, context.stop); waits > 0)
            finding.remedy = fmt::format(
                "For {} its longest launch waits for pages of unified memory: bring them before the launch first.",
                formatDuration(waits));
        else if (gpuMakerOf(trace) == GpuMaker::Nvidia) {
            const std::string command = ncuCommand(
                trace, ranked.front(), context.stop, NcuScope::NvtxRange); // as the overview has it
            finding.remedy = fmt::format(
                "Look into the longest launch of it{}: {}", ncuSkipNote(trace, command), command);
        } else
            finding.remedy
                = fmt::format("Look into the longest launch of it with {}.", kernelProfilerOf(trace));
        setEvidence(finding, trace, longest, [](EventRef) { return std::string("the longest launch"); });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule topKernels{
    .id = id,
    .title = "The kernels that take most",
    .why
    = "Once the GPU is busy, only faster kernels help, and the longest ones first. A timeline shows when a "
      "kernel runs and not what it does; Nsight Compute measures one launch from the inside: memory, "
      "arithmetic, stalls.",
    .remedy = "Look into the longest launch with Nsight Compute (ncu --set full).",
    .caveat = "The kernel that takes most may be near its limit already: ncu tells.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace, const std::stop_token&) { return !trace.kernels().empty(); },
    .check = findTop,
};

} // namespace warpline
