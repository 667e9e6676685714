// Pipeline stages that send to and receive from one another. A stage that waits long in its sends and
// receives has less to do than another one; the pipeline is as fast as its slowest stage, which hardly waits.

#include "core/analysis/collectives.h"
#include "core/analysis/gpu_activity.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::pipeline_bubble {

namespace {

constexpr std::string_view id = "pipeline_bubble";
constexpr Threshold minWait{"min_wait", "Minimum share of the measured time spent waiting", "%", 5};
constexpr Threshold boundingLimit{
    "bounding", "A stage that waits for less than this bounds the pipeline", "%", 10};
constexpr Threshold minCount{"min_count", "Minimum number of sends and receives", "", 8};
constexpr std::array thresholds{minWait, boundingLimit, minCount};
constexpr std::array<std::string_view, 3> absorbed{"gpu_idle_cause", "gpu_time_util", "gpu_gaps"};

/// The time that receives, or sends where that is more, wait: where the recording names them.
struct DirectionWait {
    std::string_view direction = "unknown"; ///< or "receives", "sends"
    Ns time = 0;
};

DirectionWait longerDirection(const Trace& trace, const CollectiveWork& gpu)
{
    Ns receiving = 0;
    Ns sending = 0;
    for (const Collective& each : gpu.collectives) {
        receiving += trace.text(each.range) == "ncclRecv" ? each.waiting : 0;
        sending += trace.text(each.range) == "ncclSend" ? each.waiting : 0;
    }
    if (receiving + sending == 0)
        return {};
    return receiving >= sending ? DirectionWait{"receives", receiving} : DirectionWait{"sends", sending};
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

Message runningTimeOf(const CollectiveWork& gpu)
{
    return {"pipeline_bubble.running",
        "{messages, plural, one {# send or receive runs} other {# sends and receives run}} for {time}.",
        {{"messages", Count{gpu.collectives.size()}}, {"time", Duration{totalTime(gpu.communicating)}}}};
}

Finding bubble(const RuleContext& context, const CollectiveWork& gpu, const CollectiveWork* bounding)
{
    TraceAnalysis& facts = context.facts;
    const Ns waiting = totalTime(gpu.exposedWaiting);
    const StepSeries& steps = facts.steps(gpu.process);
    Finding finding = findingOn(context, gpu.process, gpu.device, waiting);
    const Ns each = steps.empty() ? waiting : waiting / static_cast<Ns>(steps.size());
    finding.title = Message("pipeline_bubble.title",
        "{gpu} waits {time}{steps, select, yes { per step} other {}} for another stage of the pipeline: a bubble of "
        "{share}",
        {{"gpu", Name{gpuName(context.trace, gpu.process, gpu.device)}}, {"time", Duration{each}},
            {"steps", Name{steps.empty() ? "no" : "yes"}},
            {"share", Share{shareOf(waiting, facts.measured())}}});
    finding.message = runningTimeOf(gpu);
    const DirectionWait direction = longerDirection(context.trace, gpu);
    finding.message += Message("pipeline_bubble.waits",
        "Compared with the fastest of the same size, they wait {time}{direction, select, receives {, {part} of it in "
        "receives} sends {, {part} of it in sends} other {}}.",
        {{"time", Duration{totalTime(gpu.waiting)}}, {"direction", Name{std::string(direction.direction)}},
            {"part", Duration{direction.time}}});
    finding.message += Message("pipeline_bubble.exposed",
        "For {exposed} of that the GPU computes nothing; compute kernels take {computing}.",
        {{"exposed", Duration{waiting}}, {"computing", Duration{totalTime(gpu.computing)}}});
    if (bounding)
        finding.message += Message("pipeline_bubble.bounding_stage",
            "The stage on {gpu} waits only {time}: it bounds the pipeline.",
            {{"gpu", nameWithProcess(context.trace, GpuKey{bounding->process, bounding->device, -1})},
                {"time", Duration{totalTime(bounding->exposedWaiting)}}});
    else
        finding.alone = Message("pipeline_bubble.other_report",
            "The stage at the other end is slower and bounds the pipeline: see its report.");
    std::vector<EventRef> waits;
    std::map<EventIndex, Ns> waited;
    for (const Collective& one : gpu.collectives) {
        if (one.waiting <= 0)
            continue;
        waits.push_back({EventKind::Kernel, one.kernel});
        waited[one.kernel] = one.waiting;
    }
    sortLongestFirst(context.trace, waits);
    finding.claims = gpu.exposedWaiting;
    setEvidence(finding, context.trace, waits, [&](EventRef event) {
        return Message(
            "pipeline_bubble.wait", "waits {time} of it", {{"time", Duration{waited[event.index]}}});
    });
    return finding;
}

/// The finding about the stage that the others wait for.
Finding boundingFinding(const RuleContext& context, const CollectiveWork& gpu)
{
    TraceAnalysis& facts = context.facts;
    const Ns waiting = totalTime(gpu.exposedWaiting);
    Finding finding = findingWith(Severity::Info, Confidence::Likely, gpu.process, gpu.device);
    finding.title = Message("pipeline_bubble.bounding_title",
        "{gpu} runs the stage that bounds the pipeline: it waits for others {share} of the time",
        {{"gpu", Name{gpuName(context.trace, gpu.process, gpu.device)}},
            {"share", Share{shareOf(waiting, facts.measured())}}});
    finding.message = runningTimeOf(gpu);
    finding.message += Message("pipeline_bubble.computing",
        "They wait {waiting} of that; compute kernels take {computing} of the {measured} measured.",
        {{"waiting", Duration{waiting}}, {"computing", Duration{totalTime(gpu.computing)}},
            {"measured", Duration{facts.measured()}}});
    finding.message += Message("pipeline_bubble.sets_pace",
        "The other stages wait for this one: if it becomes faster, every step does.");
    finding.remedy = Message("pipeline_bubble.first",
                         "Fix the other findings of this report first, because this stage limits all others.")
        + Message("pipeline_bubble.move_layers", "Then move layers from this stage to those that wait.");
    finding.where = {gpu.communicating.front().start, gpu.communicating.back().end};
    return finding;
}

std::vector<Finding> findBubbles(const RuleContext& context)
{
    std::vector<Finding> findings;
    const Ns measured = context.facts.measured();
    const std::vector<CollectiveWork>& gpus = context.facts.communication(context.window).pointToPoint;
    // Where all stages are in the report and none waits for it, no stage bounds the others.
    const auto othersWait = [&](const CollectiveWork& gpu) {
        return std::ranges::any_of(gpus, [&](const CollectiveWork& other) {
            return &other != &gpu
                && shareOf(totalTime(other.exposedWaiting), measured) * 100
                >= context.threshold(id, boundingLimit);
        });
    };
    for (const CollectiveWork& gpu : gpus) {
        // Of impossible lengths nothing is left.
        if (!context.reaches(id, minCount, gpu.collectives.size()) || gpu.communicating.empty())
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
    .title = "Pipeline stages that wait for each other",
    .why
    = "A stage can only work on what the stage before it has sent. While it waits inside a send or a receive, "
      "its GPU looks busy and does nothing. The slowest stage sets the pace of all.",
    .remedy
    = "Give the slower stage fewer layers, or move its extra work (embedding, loss) to another one. Between "
      "even stages, use more and smaller micro-batches, interleaved stages, or schedules with smaller "
      "bubbles (1F1B, zero-bubble). Where launches set the pace, more micro-batches make it worse. Put sends "
      "that overlap with compute in separate streams.",
    .caveat
    = "A single report shows its own ranks only: the rule assumes that the fastest collective of each size "
      "did not wait. Open the reports of all ranks together for exact waits.",
    .thresholds = thresholds,
    .applies = hasCommunication,
    .check = findBubbles,
    .absorbs = absorbed,
};

} // namespace warpline::pipeline_bubble
