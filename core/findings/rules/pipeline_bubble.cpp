// The stages of a pipeline, which send to and receive from one another. A stage that waits long inside its
// sends and receives has less to do than another: the pipeline is as fast as its slowest stage. The stage
// that hardly waits is that one.

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/findings/collectives.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_activity.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "pipeline_bubble";
constexpr Threshold minWait{"min_wait", "Minimum share of the measured time spent waiting", "%", 5};
constexpr Threshold boundingLimit{
    "bounding", "A stage that waits for less than this bounds the pipeline", "%", 10};
constexpr Threshold minCount{"min_count", "Minimum number of sends and receives", "", 8};
constexpr std::array thresholds{minWait, boundingLimit, minCount};
constexpr std::array<std::string_view, 3> absorbed{"gpu_idle_cause", "gpu_time_util", "gpu_gaps"};

/// "490.2 ms of it in receives": where the recording names them.
std::string directionText(const Trace& trace, const CollectiveWork& gpu)
{
    Ns receiving = 0;
    Ns sending = 0;
    for (const Collective& each : gpu.collectives) {
        receiving += trace.text(each.range) == "ncclRecv" ? each.waiting : 0;
        sending += trace.text(each.range) == "ncclSend" ? each.waiting : 0;
    }
    if (receiving + sending == 0)
        return {};
    return receiving >= sending ? fmt::format(", {} of it in receives", formatDuration(receiving))
                                : fmt::format(", {} of it in sends", formatDuration(sending));
}

/// The GPU of this report that waits least, when it waits for far less than `gpu`; nullptr: in another
/// report.
const CollectiveWork* boundingStage(const std::vector<CollectiveWork>& gpus, const CollectiveWork& gpu)
{
    const auto least = std::ranges::min_element(
        gpus, {}, [](const CollectiveWork& each) { return totalTime(each.exposedWaiting); });
    return least != gpus.end() && totalTime(least->exposedWaiting) * 2 < totalTime(gpu.exposedWaiting)
        ? &*least
        : nullptr;
}

Finding bubble(const RuleContext& context, const CollectiveWork& gpu, const CollectiveWork* bounding)
{
    RunFacts& facts = context.facts;
    const KernelTable& kernels = context.trace.kernels();
    const Ns waiting = totalTime(gpu.exposedWaiting);
    const StepSeries& steps = facts.steps(gpu.process);
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.saving = waiting;
    finding.severity = severityOf(context, waiting);
    const Ns each = steps.empty() ? waiting : waiting / static_cast<Ns>(steps.size());
    finding.title = fmt::format("{} waits {}{} for another stage of the pipeline: a bubble of {}",
        gpuName(context.trace, gpu.process, gpu.device), formatDuration(each), steps.empty() ? "" : " a step",
        formatShare(shareOf(waiting, facts.measured())));
    finding.message = fmt::format(
        "{} run for {}. Beyond what the fastest of the same size take they wait {}{}; nothing computes for "
        "{} of that. The kernels that compute take {}.",
        counted(gpu.collectives.size(), "send or receive", "sends and receives"),
        formatDuration(totalTime(gpu.communicating)), formatDuration(totalTime(gpu.waiting)),
        directionText(context.trace, gpu), formatDuration(waiting), formatDuration(totalTime(gpu.computing)));
    if (bounding)
        finding.message += fmt::format(" The stage on {} waits only {}: it bounds the pipeline.",
            nameWithProcess(context.trace, GpuKey{bounding->process, bounding->device, -1}),
            formatDuration(totalTime(bounding->exposedWaiting)));
    else
        finding.alone
            = " The stage at the other end is slower: it bounds the pipeline, so look at its report.";
    std::vector<EventRef> waits;
    std::map<EventIndex, Ns> waited;
    for (const Collective& one : gpu.collectives) {
        if (one.waiting <= 0)
            continue;
        waits.push_back({EventKind::Kernel, one.kernel});
        waited[one.kernel] = one.waiting;
    }
    std::ranges::stable_sort(
        waits, std::greater{}, [&](EventRef event) { return kernels.duration[event.index]; });
    finding.claims = gpu.exposedWaiting;
    setEvidence(finding, context.trace, waits,
        [&](EventRef event) { return "waits " + formatDuration(waited[event.index]) + " of it"; });
    return finding;
}

/// What is known of the stage that the others wait for.
Finding boundingFinding(const RuleContext& context, const CollectiveWork& gpu)
{
    RunFacts& facts = context.facts;
    const Ns waiting = totalTime(gpu.exposedWaiting);
    Finding finding;
    finding.process = gpu.process;
    finding.device = gpu.device;
    finding.severity = Severity::Info;
    finding.title
        = fmt::format("{} runs the stage that bounds the pipeline: it waits for others {} of the time",
            gpuName(context.trace, gpu.process, gpu.device), formatShare(shareOf(waiting, facts.measured())));
    finding.message = fmt::format(
        "{} run for {} in all, {} of it waiting, while the kernels that compute take {} of {}. If other "
        "stages wait, they wait for this one: what makes it faster makes every step faster.",
        counted(gpu.collectives.size(), "send or receive", "sends and receives"),
        formatDuration(totalTime(gpu.communicating)), formatDuration(waiting),
        formatDuration(totalTime(gpu.computing)), formatDuration(facts.measured()));
    finding.remedy = "Look at the other findings of this report first: they are about the stage that counts. "
                     "Then move layers from this stage to those that wait.";
    finding.where = {gpu.communicating.front().start, gpu.communicating.back().end};
    return finding;
}

std::vector<Finding> findBubbles(const RuleContext& context)
{
    std::vector<Finding> findings;
    const Ns measured = context.facts.measured();
    const std::vector<CollectiveWork> gpus = pointToPointWork(context);
    // Where all stages are in the report and none waits for it, no stage bounds the others.
    const auto othersWait = [&](const CollectiveWork& gpu) {
        return std::ranges::any_of(gpus, [&](const CollectiveWork& other) {
            return &other != &gpu
                && shareOf(totalTime(other.exposedWaiting), measured) * 100
                >= context.threshold(id, boundingLimit);
        });
    };
    for (const CollectiveWork& gpu : gpus) {
        if (static_cast<double>(gpu.collectives.size()) < context.threshold(id, minCount))
            continue;
        const double share = shareOf(totalTime(gpu.exposedWaiting), measured) * 100;
        if (share >= context.threshold(id, minWait)
            && (share >= context.threshold(id, boundingLimit) || gpus.size() == 1))
            findings.push_back(bubble(context, gpu, boundingStage(gpus, gpu)));
        else if (share < context.threshold(id, boundingLimit) && (gpus.size() == 1 || othersWait(gpu)))
            findings.push_back(boundingFinding(context, gpu));
    }
    return findings;
}

} // namespace

extern constinit const Rule pipelineBubble{
    .id = id,
    .title = "Stages of a pipeline that wait for one another",
    .why = "A stage can only work on what the stage before it has sent. While it waits inside a send or a "
           "receive its GPU looks busy and does nothing. The slowest stage sets the pace of all.",
    .remedy
    = "Give the slower stage fewer layers, or what it does besides (embedding, loss) to another "
      "one. Between even stages more and smaller pieces in flight (micro-batches) shorten the bubble at the "
      "begin and the end of a step, and so do interleaved stages and schedules without a bubble (1F1B, "
      "zero-bubble); where launches set the pace, more pieces make it worse. Sends that overlap with computing need a stream of their own.",
    .caveat
    = "One report by itself sees its own ranks only, and takes the fastest collective of a size as one that "
      "did not wait; opened with those of the other ranks it tells exactly.",
    .thresholds = thresholds,
    .applies = hasCommunication,
    .check = findBubbles,
    .absorbs = absorbed,
};

} // namespace warpline
