// A GPU that waits for input in every step: gaps that lie inside the NVTX ranges which load data, step after
// step. Reports without such ranges are judged by what ends the gaps: when it is a copy to the device again
// and again, that copy is probably the next batch.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/idle_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view id = "data_starvation";
constexpr std::array<Threshold, 4> thresholds{{{"min_share", "Least share of the steps' time", "%", 1},
    {"min_steps", "Least share of the steps that wait", "%", 10},
    {"unmarked_gap_ns", "Shortest gap without NVTX", "ns", 2e6},
    {"unmarked_share", "Least share of the time without NVTX", "%", 10}}};
constexpr std::array<std::string_view, 5> absorbed{
    "gpu_idle_cause", "gpu_gaps", "gpu_time_util", "nvtx_outlier_steps", "gap_functions"};
constexpr std::size_t fewestSteps = 3;
constexpr std::size_t fewestUnmarked = 8;

struct Starvation {
    std::vector<TimeRange> waits;
    std::vector<Ns> perStep;
    Ns total = 0;
};

/// The time in gaps that the launching thread spent loading data, by steady step.
Starvation measure(const RuleContext& context, const GpuFacts& gpu, const StepSeries& steps)
{
    RunFacts& facts = factsOf(context);
    Starvation found;
    found.perStep.assign(steps.steady(), 0);
    for (const IdleGap& gap : stoppableItems(gpu.gaps, context.stop)) {
        if (gap.range.duration() < shortestCause)
            continue;
        const EventIndex call = facts.callOf(gap.next);
        if (call == noIndex)
            continue;
        const TimeRange host = causeOf(context.trace, facts, gap).host;
        for (const TimeRange& wait : facts.host(facts.threadOf(call)).within(HostDoing::LoadingData, host)) {
            // Warm-up loads, too, but once.
            const std::size_t step = steps.at(wait.start);
            if (step == steps.size() || step < steps.firstSteady)
                continue;
            found.perStep[step - steps.firstSteady] += wait.duration();
            found.total += wait.duration();
            found.waits.push_back(wait);
        }
    }
    return found;
}

std::string remedy()
{
    return "Load in the background and ahead: DataLoader(num_workers=4 or more, prefetch_factor=2 or more, "
           "persistent_workers=True, pin_memory=True) with tensor.to(device, non_blocking=True). Make the "
           "transform cheaper, "
           "do it on the GPU (NVIDIA DALI, torchvision v2 on CUDA tensors), or prepare the data once and "
           "store it.";
}

void findMarked(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const StepSeries& steps = factsOf(context).steps(gpu.process);
    if (steps.steady() < fewestSteps)
        return;
    Starvation found = measure(context, gpu, steps);
    const TimeRange steady{steps.ranges[steps.firstSteady].start, steps.span().end};
    const Ns notable = std::max<Ns>(steps.median / 10, shortestCause);
    const auto waiting = static_cast<std::size_t>(
        std::ranges::count_if(found.perStep, [&](Ns wait) { return wait >= notable; }));
    const double share = static_cast<double>(found.total) / static_cast<double>(steady.duration());
    if (waiting < fewestSteps || share * 100 < context.threshold(id, thresholds[0])
        || static_cast<double>(waiting) * 100
            < context.threshold(id, thresholds[1]) * static_cast<double>(steps.steady()))
        return;
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.saving = found.total;
    finding.severity = severityOf(context, found.total);
    finding.confidence = Confidence::Certain;
    const Ns each = found.total / static_cast<Ns>(steps.steady());
    finding.title
        = fmt::format("{} waits {} a step for input data", nameOf(context.trace, gpu), formatDuration(each));
    finding.message = fmt::format(
        "In {} of {} steady steps ({}) the GPU runs nothing while the launching thread loads data: {} "
        "in all, {} a step on average, "
        "{} in the middle step. That is {} of the time of the steps, which take {} each.",
        formatCount(waiting), formatCount(steps.steady()), steps.pattern, formatDuration(found.total),
        formatDuration(each), formatDuration(medianOf(found.perStep)), formatShare(share),
        formatDuration(steps.median));
    // Where few steps wait for long, the loader delivers several batches at once.
    if (waiting * 3 < steps.steady() * 2 && waiting > 0)
        finding.message += fmt::format(
            " It is every {}th step or so that waits, not each.", (steps.steady() + waiting / 2) / waiting);
    finding.claims = unionOf(found.waits, context.window);
    std::erase_if(found.waits, [&](TimeRange wait) { return wait.duration() < notable; });
    setStretches(finding, std::move(found.waits), [&](TimeRange wait) {
        const std::size_t step = steps.at(wait.start);
        return fmt::format("{}: the GPU waits {} for data", context.trace.name(steps.events[step]),
            formatDuration(wait.duration()));
    });
    finding.remedy = remedy();
    findings.push_back(std::move(finding));
}

/// Without NVTX ranges: long gaps that a copy to the device ends, as many as a loop would have.
void findUnmarked(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    RunFacts& facts = factsOf(context);
    const Ns shortest = static_cast<Ns>(context.threshold(id, thresholds[2]));
    std::vector<TimeRange> waits;
    Ns total = 0;
    std::size_t others = 0;
    for (const IdleGap& gap : stoppableItems(gpu.gaps, context.stop)) {
        if (gap.range.duration() < shortest)
            continue;
        const bool input = gap.next.kind == EventKind::Memcpy
            && context.trace.memcpys().copy(gap.next.index).kind == CopyKind::HtoD;
        const GapCause cause = causeOf(context.trace, facts, gap);
        if (!input || !cause.known
            || (cause.main != HostDoing::OwnCode && cause.main != HostDoing::OsCalls)) {
            ++others;
            continue;
        }
        waits.push_back(gap.range);
        total += gap.range.duration();
    }
    const double share = static_cast<double>(total) / static_cast<double>(std::max<Ns>(1, facts.measured()));
    if (waits.size() < fewestUnmarked || waits.size() < 3 * others
        || share * 100 < context.threshold(id, thresholds[3]))
        return;
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.saving = total;
    finding.severity = severityOf(context, total);
    finding.confidence = Confidence::Possible;
    finding.title = fmt::format(
        "{} waits {} for data again and again", nameOf(context.trace, gpu), formatDuration(total));
    finding.message = fmt::format(
        "{} gaps of {} or longer, {} in all, end with a copy to the device, and the launching thread "
        "made no CUDA call in most of them: it probably prepared the next input. NVTX ranges "
        "around the steps and the loading would tell for sure.",
        formatCount(waits.size()), formatDuration(shortest), formatDuration(total));
    finding.claims = unionOf(waits, context.window);
    setStretches(finding, std::move(waits),
        [](TimeRange wait) { return "idle for " + formatDuration(wait.duration()); });
    finding.remedy = remedy();
    findings.push_back(std::move(finding));
}

std::vector<Finding> findStarvation(const RuleContext& context)
{
    std::vector<Finding> findings;
    RunFacts& facts = factsOf(context);
    for (const GpuFacts& gpu : facts.gpus()) {
        const std::size_t before = findings.size();
        findMarked(context, gpu, findings);
        if (findings.size() == before && facts.steps(gpu.process).empty())
            findUnmarked(context, gpu, findings);
    }
    return findings;
}

} // namespace

extern constinit const Rule dataStarvation{
    .id = id,
    .title = "The GPU waits for data",
    .why = "Input is prepared on the launching thread, or too slowly behind it: each step begins with an "
           "idle GPU. A faster GPU "
           "would change nothing.",
    .remedy = "Load in the background and ahead: more workers, prefetch, pinned memory, a cheaper or "
              "GPU-side transform.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return trace.kernels().size() > 1 && !trace.apiCalls().empty(); },
    .check = findStarvation,
    .absorbs = absorbed,
};

} // namespace warpline
