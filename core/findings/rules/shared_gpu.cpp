// Processes that share a GPU at the same time. Without MPS the GPU time-slices, so that kernels of one
// process wait for those of another, or last until their next slice. Steps that had the GPU alone show the
// cost.

#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/waits.h"
#include "core/steps/gpu_steps.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warpline::shared_gpu {

namespace {

constexpr std::string_view id = "shared_gpu";
constexpr Threshold minShare{
    "min_share", "Minimum share of the measured time in which two processes have work", "%", 2};
constexpr std::array thresholds{minShare};
// The GPU is not idle while it works for another process.
constexpr std::array<std::string_view, 1> absorbed{"gpu_idle_cause"};
constexpr std::size_t minSteps = 3; ///< of each kind, to compare them

/// The time in which `gpu` has work of its process: launched, and not done.
Intervals timeWithWork(const RuleContext& context, const GpuFacts& gpu)
{
    const Trace& trace = context.trace;
    std::vector<TimeRange> ranges;
    ranges.reserve(gpu.work.size());
    for (const std::uint32_t work : stoppableItems(gpu.work, context.stop)) {
        TimeRange range = trace.range(Links::unpack(work));
        if (const EventIndex call = context.facts.callOf(work); call != noIndex)
            range.start = std::min(range.start, trace.apiCalls().start[call]);
        ranges.push_back(range);
    }
    return unionOf(std::move(ranges), context.facts.measuredRange(), context.stop);
}

/// Steps of a process on its GPU with work of others there, and without it.
struct Steps {
    std::vector<Ns> shared;
    std::vector<Ns> alone;

    bool tell() const { return shared.size() >= minSteps && alone.size() >= minSteps; }
    /// How much less all the shared ones would take at most, each as long as the shortest one alone.
    Ns longer() const
    {
        const Ns shortest = *std::ranges::min_element(alone);
        Ns sum = 0;
        for (const Ns step : shared)
            sum += std::max<Ns>(0, step - shortest);
        return sum;
    }
};

Steps stepsOf(const RuleContext& context, const GpuFacts& gpu)
{
    Steps steps;
    const StepSeries& host = context.facts.steps(gpu.process);
    if (host.empty())
        return steps;
    const PackedIntervals others = timeOfOthers(context.trace, context.facts, gpu, context.window);
    for (const GpuSteps& each : gpuStepsOf(context.trace, {{host, StepSource::Nvtx}}, context.stop)) {
        if (each.process != gpu.process || each.device != gpu.device)
            continue;
        for (const TimeRange& step : each.gpu.ranges) {
            const double share = shareOf(others.timeIn(step), step.duration());
            if (share >= 0.5)
                steps.shared.push_back(step.duration());
            else if (share < 0.02)
                steps.alone.push_back(step.duration());
        }
    }
    return steps;
}

void findSharing(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const PackedIntervals working = timeWithWork(context, gpu);
    if (working.empty())
        return;
    const PackedIntervals others
        = timeOfOthers(context.trace, context.facts, gpu, {working.front().start, working.back().end});
    const PackedIntervals both = intersection(working, others);
    if (both.empty() || !context.reachesShare(id, minShare, totalTime(both), context.facts.measured()))
        return;
    const Steps steps = stepsOf(context, gpu);
    Finding finding = findingOn(context, gpu.process, gpu.device, both);
    finding.saving = steps.tell() ? std::min(steps.longer(), totalTime(both)) : 0;
    finding.severity = std::max(Severity::Low, severityOf(context, finding.saving));
    finding.title = Message("shared_gpu.title", "{gpu} works for other processes, too, for {time}",
        {{"gpu", Name{gpuName(context.trace, gpu.process, gpu.device)}},
            {"time", Duration{totalTime(both)}}});
    finding.message = Message("shared_gpu.both",
        "For {time} ({share} of the measured time), work of other processes runs there while this process has work "
        "on the GPU or in its queue.",
        {{"time", Duration{totalTime(both)}},
            {"share", Share{shareOf(totalTime(both), context.facts.measured())}}});
    if (!areNumbersCommon(context.trace)) {
        finding.confidence = Confidence::Possible;
        finding.message += Message("shared_gpu.unknown",
            "The report does not show which GPU each process uses: with CUDA_VISIBLE_DEVICES, each may have its own.");
    }
    if (steps.tell())
        finding.message += Message("shared_gpu.steps",
            "Its steps take {shared} with work of others on the GPU ({count, plural, one {# step} other {# "
            "steps}}) and {alone} without it ({others, plural, one {# step} other {# steps}}).",
            {{"shared", Duration{middleOf(steps.shared)}}, {"count", Count{steps.shared.size()}},
                {"alone", Duration{middleOf(steps.alone)}}, {"others", Count{steps.alone.size()}}});
    setClaimedStretches(finding, "shared_gpu.stretch", "others use it for {time}");
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule sharedGpu{
    .id = id,
    .title = "Processes that share a GPU",
    .why
    = "Without MPS, a GPU works for one process at a time and changes every few milliseconds. Kernels of "
      "the others wait, even small ones that leave most of the GPU free. A kernel that is interrupted lasts "
      "until its next turn ends.",
    .remedy
    = "Start MPS (nvidia-cuda-mps-control -d): kernels of several processes then run side by side. Or do "
      "the work of all in one process with several streams, or give each process its own GPU.",
    .caveat
    = "Kernels that fill the GPU gain nothing from running side by side. Under MPS they do so already.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel>,
    .checkGpu = findSharing,
    .absorbs = absorbed,
};

} // namespace warpline::shared_gpu
