// Where the time of a busy GPU goes: its longest kernels, and the command that profiles the first of them,
// because the report does not show the inside of kernels.

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/kernel_totals.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>

namespace warpline::top_kernels {

namespace {

constexpr std::string_view id = "top_kernels";
constexpr Threshold minBusy{"min_busy", "Minimum share of the measured time in kernels", "%", 50};
constexpr Threshold minShare{"min_share", "... or minimum share of one kernel in the kernels' time", "%", 50};
constexpr Threshold minTime{
    "min_time", "Minimum share of the measured time that it takes, where there are steps", "%", 3};
constexpr std::array thresholds{minBusy, minShare, minTime};
constexpr std::size_t named = 3;

/// Whether the longest kernels are most of the time of `gpu`, which they are not in steps that wait for
/// something else.
bool matters(const RuleContext& context, const GpuFacts& gpu, const KernelTotal& first, Ns all)
{
    TraceAnalysis& facts = context.facts;
    if (!facts.steps(gpu.process).empty()
        && !context.reachesShare(id, minTime, first.measured, facts.measured()))
        return false;
    const Ns computing = totalTime(gpu.compute, facts.measuredRange());
    return context.reachesShare(id, minBusy, computing, facts.measured())
        || context.reachesShare(id, minShare, first.inside, all);
}

void findTop(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const Trace& trace = context.trace;
    const std::vector<KernelTotal> ranked = kernelTotals(context, gpu);
    Ns all = 0;
    for (const KernelTotal& total : ranked)
        all += total.inside;
    // Kernels inside graphs traced as a whole are not in the report: the others may be a small part.
    if (ranked.empty() || all <= 0 || graphTimeOf(trace, gpu) * 10 > all
        || !matters(context, gpu, ranked.front(), all))
        return;
    const auto shareOf = [&](const KernelTotal& total) {
        return Share{static_cast<double>(total.inside) / static_cast<double>(all)};
    };
    Finding finding = findingWith(Severity::Info, Confidence::Certain, gpu.process, gpu.device);
    finding.subject = {Subject::Kind::Kernel, ranked.front().function};
    const KernelTotal& first = ranked.front();
    finding.title = Message("top_kernels.title", "{gpu}: {kernel} takes {share} of kernel time",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"kernel", Name{first.function}}, {"share", shareOf(first)}});
    std::vector<EventRef> longest;
    std::vector<Message> kernels;
    for (std::size_t i = 0; i < std::min(named, ranked.size()); ++i) {
        const KernelTotal& total = ranked[i];
        longest.push_back(total.longest);
        kernels.push_back(Message("top_kernels.kernel",
            "{kernel} {share} ({time} in {launches, plural, one {# launch} other {# launches}})",
            {{"kernel", Name{total.function}}, {"share", shareOf(total)}, {"time", Duration{total.inside}},
                {"launches", Count{total.launches}}}));
    }
    const Message profiler = kernelProfilerOf(trace);
    finding.message
        = Message("top_kernels.kernels", "Kernel time by kernel: {kernels}.", {{"kernels", kernels}});
    finding.message += Message("top_kernels.shape", "The longest launch of {kernel} has {shape}.",
        {{"kernel", Name{first.function}}, {"shape", launchShape(trace, first.longest.index)}});
    finding.message += Message("top_kernels.inside",
        "This report does not show what happens inside a kernel; {profiler} does.", {{"profiler", profiler}});
    if (const PageWait waits = pageWaitOf(context.facts, first.longest.index); waits.time > 0)
        finding.remedy = Message("top_kernels.pages",
            "Its longest launch waits {time} for pages of unified memory: first {room, select, yes {make the "
            "memory that it touches fit in GPU memory} other {move them to the GPU before the launch}}.",
            {{"time", Duration{waits.time}}, {"room", yesOrNo(waits.evicted > 0)}});
    else if (gpuMakerOf(trace) == GpuMaker::Nvidia) {
        const std::string command = ncuCommand(trace, first, context.stop); // as the overview has it
        if (Message note = ncuSkipNote(trace, first.longest.index, context.stop); !note.empty())
            finding.remedy = Message("top_kernels.note", "{note}.", {{"note", std::move(note)}});
        finding.remedy += Message("top_kernels.command", "Profile its longest launch: {command}",
            {{"command", ncuText(trace, command)}});
    } else
        finding.remedy = Message(
            "top_kernels.profile", "Profile its longest launch with {profiler}.", {{"profiler", profiler}});
    setEvidence(finding, trace, longest, {"top_kernels.longest", "the longest launch"});
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule topKernels{
    .id = id,
    .title = "Top kernels",
    .why
    = "Once the GPU is busy, only faster kernels help, and the longest ones first. A timeline shows when a "
      "kernel runs, not what it does. Nsight Compute measures one launch from the inside: memory, "
      "arithmetic, stalls.",
    .remedy = "Profile the longest launch with Nsight Compute (ncu --set full).",
    .caveat = "The longest kernel may already be near its limit: a kernel profiler shows it.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findTop,
};

} // namespace warpline::top_kernels
