// Collectives: their share of the steps, how much of it is exposed, their bandwidth, and how much of their
// time is waiting for a late rank instead of communication.

#include "core/analysis/collectives.h"
#include "core/analysis/trace_analysis.h"
#include "core/store/trace.h"

#include "core/analysis/gpu_activity.h"
#include "core/base/message_names.h"
#include "core/base/saturate.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/derive/collective_bandwidth.h"
#include "core/derive/nccl_calls.h"
#include "core/derive/stream_waits.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/kernels/kernel_names.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::collectives {

namespace {

constexpr std::string_view shareId = "nccl_exposed";
constexpr Threshold shareMinShare{"min_share", "Minimum share of collectives in the measured time", "%", 1};
constexpr Threshold bottleneckLimit{"bottleneck", "Minimum exposed share of a bottleneck", "%", 20};
constexpr std::array shareThresholds{shareMinShare, bottleneckLimit};
constexpr std::array<std::string_view, 2> absorbed{"gpu_idle_cause", "gpu_time_util"};

constexpr std::string_view waitId = "collective_wait";
constexpr Threshold waitMinShare{"min_share", "Minimum share of the measured time, not hidden", "%", 3};
constexpr Threshold minWait{"min_wait_ns", "Minimum wait that is listed", "ns", 500'000};
constexpr std::array waitThresholds{waitMinShare, minWait};

/// A wait of one stream of a GPU for work on another, as text.
struct DependencyWait {
    TimeRange held;
    Message text;
};

/// The costly waits of the streams of GPU `device` of `process` inside `window`, by their begin. Names a
/// producer on another GPU. O(waits log waits).
std::vector<DependencyWait> dependencyWaits(
    const Trace& trace, GlobalId process, std::int32_t device, TimeRange window)
{
    std::vector<DependencyWait> waits;
    const auto all = streamWaitsOf(trace);
    for (const StreamWait& each : *all) {
        if (!each.held.overlaps(window) || each.held.empty())
            continue;
        const Track& waiting = trace.track(trace.trackOf(each.consumer));
        if (waiting.owner != process || waiting.device != device)
            continue;
        const EventRef producer = each.producer;
        const Track& other = trace.track(trace.trackOf(producer));
        waits.push_back({each.held,
            Message("stream_waits.wait",
                "stream {stream} waits {time} for {work} on stream {other}{elsewhere, select, yes { of {gpu}} other {}}",
                {{"stream", Ordinal{waiting.stream}}, {"time", Duration{each.held.duration()}},
                    {"work", Name{std::string(trace.displayName(producer))}},
                    {"other", Ordinal{other.stream}},
                    {"elsewhere", Name{other.device == device ? "no" : "yes"}},
                    {"gpu", Name{gpuName(trace, other.owner, other.device)}}})});
    }
    std::ranges::stable_sort(waits, {}, [](const DependencyWait& wait) { return wait.held.start; });
    return waits;
}

/// The entry of `waits` that covers most of `range`, and at least half of it; nullptr: none does.
const DependencyWait* waitIn(const std::vector<DependencyWait>& waits, TimeRange range)
{
    const DependencyWait* best = nullptr;
    Ns most = 0;
    for (const DependencyWait& wait : waits) {
        if (wait.held.start >= range.end)
            break;
        const Ns covered = wait.held.clippedTo(range).duration();
        if (covered > most && covered * 2 >= range.duration()) {
            best = &wait;
            most = covered;
        }
    }
    return best;
}

/// The collectives of one operation.
struct KindOfCollective {
    std::uint64_t count = 0;
    Ns time = 0;
    std::int64_t bytes = 0; ///< of those with known size
    Ns timed = 0; ///< of these
    std::string_view
        rateName; ///< which rate the two below are, see rateOf(); empty: they are not all the same
    double moved = 0; ///< rate by time, summed
    double best = 0; ///< GB/s
};

/// The known one of `rates`, with its name.
std::pair<std::string_view, double> rateOf(const CollectiveBandwidth& rates)
{
    return rates.bus > 0      ? std::pair(std::string_view("bus"), rates.bus)
        : rates.algorithm > 0 ? std::pair(std::string_view("algorithm"), rates.algorithm)
                              // All ranks exchange this many times one rank's message.
                              : std::pair(std::string_view("part"), rates.busOfOne);
}

void addCollective(const Trace& trace, const NcclCalls& calls, const Collective& each, KindOfCollective& kind)
{
    const Ns time = trace.kernels().duration[each.kernel];
    ++kind.count;
    kind.time += time;
    const std::vector<EventIndex> ranges
        = each.bytes > 0 && time > 0 ? calls.rangesOf(each.kernel) : std::vector<EventIndex>();
    if (ranges.empty())
        return;
    const std::int64_t ranks = calls.ranksOf(calls.operation(ranges.back()));
    const auto operation = calls.communicationOf(each.kernel).operation;
    const auto [name, rate] = rateOf(collectiveBandwidth(operation, each.bytes, ranks, time));
    kind.rateName = kind.timed == 0 || kind.rateName == name ? name : std::string_view();
    kind.bytes = saturatingAdd(kind.bytes, each.bytes);
    kind.timed += time;
    kind.moved += rate * static_cast<double>(time);
    kind.best = std::max(kind.best, rate);
}

/// A sentence for each kind of collective, those with most time first.
Message kindsOf(const Trace& trace, const CollectiveWork& gpu)
{
    const NcclCalls calls(trace);
    std::map<std::string, KindOfCollective> kinds;
    for (const Collective& each : gpu.collectives) {
        const std::string name(each.range != StringId{}
                ? trace.text(each.range)
                : trace.displayName({EventKind::Kernel, each.kernel}));
        addCollective(trace, calls, each, kinds[name]);
    }
    std::vector<std::pair<std::string, KindOfCollective>> sorted(kinds.begin(), kinds.end());
    std::ranges::sort(sorted, std::greater{}, [](const auto& kind) { return kind.second.time; });
    Message text;
    for (const auto& [name, kind] : sorted) {
        text += Message("nccl_exposed.kind",
            "{name}: {count} in {time}{known, select, yes {, {bytes} in all} other {}}.",
            {{"name", Name{name}}, {"count", Count{kind.count}}, {"time", Duration{kind.time}},
                {"known", yesOrNo(kind.bytes > 0)}, {"bytes", Bytes{naturalOf(kind.bytes)}}});
        if (kind.bytes == 0 || kind.rateName.empty())
            continue;
        text += Message("nccl_exposed.rate",
            "Its {rate, select, bus {bus bandwidth} algorithm {algorithm bandwidth} other {rate for the part of each rank}} is "
            "{mean} on average, including waits, and {best} at best.",
            {{"rate", Name{std::string(kind.rateName)}},
                {"mean", Rate{kind.moved * 1e9 / static_cast<double>(kind.timed)}},
                {"best", Rate{kind.best * 1e9}}});
    }
    return text;
}

/// How much of the exposed time is waiting for other ranks.
Message exposedParts(Ns exposed, Ns waiting)
{
    if (exposed == 0)
        return {"nccl_exposed.nothing", "Nothing is exposed."};
    if (waiting == 0 || exposed == waiting)
        return {"nccl_exposed.one_part",
            "{time} is exposed, {waiting, select, none {none} other {all}} of it waiting for other ranks.",
            {{"time", Duration{exposed}}, {"waiting", Name{waiting == 0 ? "none" : "all"}}}};
    return {"nccl_exposed.parts",
        "{time} is exposed: about {waiting} or more waiting for other ranks, and about {rest} or less communication.",
        {{"time", Duration{exposed}}, {"waiting", Duration{waiting}}, {"rest", Duration{exposed - waiting}}}};
}

/// Within the measured time only: values shown next to its length must lie in it.
const std::vector<CollectiveWork>& collectivesWithinMeasured(const RuleContext& context)
{
    return context.facts.communication(context.facts.measuredRange()).collectives;
}

/// Sets the one-time part of `all` of the same GPU, over the whole window, beyond `inside`, that of the
/// measured time.
void tellOnce(const std::vector<CollectiveWork>& all, const CollectiveWork& gpu, Ns inside,
    Ns (*timeOf)(const CollectiveWork&), Finding& finding)
{
    for (const CollectiveWork& whole : all) {
        if (whole.process == gpu.process && whole.device == gpu.device)
            finding.once = std::max<Ns>(0, timeOf(whole) - inside);
    }
    if (finding.once > 0)
        finding.message += Message("nccl_exposed.once",
            "Another {time} is a one-time cost outside the measured time and does not count.",
            {{"time", Duration{finding.once}}});
}

Ns exposedCommunication(const CollectiveWork& gpu)
{
    return totalTime(gpu.exposed)
        - totalTime(gpu.exposedWaiting); // waiting for a late rank is the other rule's
}

Ns exposedWaiting(const CollectiveWork& gpu)
{
    return totalTime(gpu.exposedWaiting);
}

std::vector<Finding> findShare(const RuleContext& context)
{
    std::vector<Finding> findings;
    const Ns measured = context.facts.measured();
    const std::vector<CollectiveWork>& all = context.facts.communication(context.window).collectives;
    for (const CollectiveWork& gpu : collectivesWithinMeasured(context)) {
        const Ns total = totalTime(gpu.communicating);
        const Ns exposed = totalTime(gpu.exposed);
        const Ns waiting = totalTime(gpu.exposedWaiting);
        if (shareOf(total, measured) * 100 < context.threshold(shareId, shareMinShare))
            continue;
        const bool bottleneck
            = shareOf(exposed, measured) * 100 >= context.threshold(shareId, bottleneckLimit);
        Finding finding = findingOn(context, gpu.process, gpu.device, exposedCommunication(gpu));
        // The fastest of this rank may have waited, too: without the others' reports the split is a bound.
        finding.confidence = waiting > 0 ? Confidence::Likely : Confidence::Certain;
        const std::string name = gpuName(context.trace, gpu.process, gpu.device);
        finding.title = exposed > 0
            ? Message("nccl_exposed.title",
                "{gpu}: communication exposed for {time} ({share} of the measured time){bottleneck, select, yes {: a "
                "bottleneck} other {}}",
                {{"gpu", Name{name}}, {"time", Duration{exposed}},
                    {"share", Share{shareOf(exposed, measured)}},
                    {"bottleneck",
                        Name{bottleneck && waiting * 2 < exposed && !isWaitingUnknown(context.trace, all)
                                ? "yes"
                                : "no"}}})
            : Message("nccl_exposed.hidden", "{gpu}: communication runs for {time}, all of it hidden",
                {{"gpu", Name{name}}, {"time", Duration{total}}});
        finding.message = Message("nccl_exposed.time",
            "Collectives run for {time}, {share} of the measured time; compute hides {hidden, select, some {{part}} other "
            "{none of it}}.",
            {{"time", Duration{total}}, {"share", Share{shareOf(total, measured)}},
                {"hidden", Name{total > exposed ? "some" : "none"}}, {"part", Duration{total - exposed}}});
        finding.message += exposedParts(exposed, waiting);
        finding.message += kindsOf(context.trace, gpu);
        tellOnce(all, gpu, finding.saving, exposedCommunication, finding);
        finding.claims = difference(gpu.exposed, gpu.exposedWaiting);
        const std::vector<DependencyWait> waits
            = dependencyWaits(context.trace, gpu.process, gpu.device, context.window);
        setStretches(finding, gpu.exposed, [&waits](TimeRange range) {
            const DependencyWait* const wait = waitIn(waits, range);
            return wait ? Message("nccl_exposed.stretch_waiting", "{time} of communication alone: {wait}",
                       {{"time", Duration{range.duration()}}, {"wait", wait->text}})
                        : Message("nccl_exposed.stretch", "{time} of communication alone",
                            {{"time", Duration{range.duration()}}});
        });
        if (gpu.exposed.empty())
            finding.where = gpu.communicating.front();
        finding.cure.edits.push_back(editOfAll(CureKind::OverlapCommunication));
        findings.push_back(std::move(finding));
    }
    return findings;
}

/// Which other GPU of this report entered the same collectives later, and by how much in all; nullptr: none.
std::pair<const CollectiveWork*, Ns> lateGpu(
    const RuleContext& context, const CollectiveWork& gpu, const std::vector<CollectiveWork>& all)
{
    const KernelTable& kernels = context.trace.kernels();
    std::pair<const CollectiveWork*, Ns> latest{nullptr, 0};
    for (const CollectiveWork& other : all) {
        if (&other == &gpu || other.collectives.size() != gpu.collectives.size())
            continue; // the ranks' collectives cannot be matched
        Ns late = 0;
        for (std::size_t i = 0; i < gpu.collectives.size(); ++i)
            late += std::max<Ns>(
                0, kernels.start[other.collectives[i].kernel] - kernels.start[gpu.collectives[i].kernel]);
        if (late > latest.second)
            latest = {&other, late};
    }
    return latest;
}

/// The fewest steady steps that hold nine tenths of `times`.
std::size_t stepsWith(const StepSeries& steps, const Intervals& times)
{
    std::vector<Ns> perStep;
    Ns all = 0;
    for (std::size_t i = steps.firstSteady; i < steps.size(); ++i) {
        perStep.push_back(totalTime(times, steps.ranges[i]));
        all += perStep.back();
    }
    std::ranges::sort(perStep, std::greater{});
    std::size_t count = 0;
    for (Ns held = 0; count < perStep.size() && held * 10 < all * 9; ++count)
        held += perStep[count];
    return count;
}

std::vector<Finding> findWaits(const RuleContext& context)
{
    std::vector<Finding> findings;
    TraceAnalysis& facts = context.facts;
    const std::vector<CollectiveWork>& all = context.facts.communication(context.window).collectives;
    const std::vector<CollectiveWork>& gpus = collectivesWithinMeasured(context);
    for (const CollectiveWork& gpu : gpus) {
        const Ns waiting = exposedWaiting(gpu);
        if (shareOf(waiting, facts.measured()) * 100 < context.threshold(waitId, waitMinShare))
            continue;
        std::vector<EventRef> waits;
        std::map<EventIndex, Ns> waited;
        for (const Collective& each : stoppableItems(gpu.collectives, context.stop)) {
            if (!context.reaches(waitId, minWait, each.waiting))
                continue;
            waits.push_back({EventKind::Kernel, each.kernel});
            waited[each.kernel] = each.waiting;
        }
        const StepSeries& steps = facts.steps(gpu.process);
        const std::size_t waitingSteps = stepsWith(steps, gpu.exposedWaiting);
        // A mean over all steps hides that few of them wait.
        const bool inMost = waitingSteps * 2 > steps.steady();
        const Name when{steps.steady() == 0 ? "once" : inMost ? "each" : "some"};
        // The fastest of a rank that is alone in its report may have waited itself: a bound.
        const Name bound{gpus.size() == 1 ? "least" : "exact"};
        Finding finding = findingOn(context, gpu.process, gpu.device, waiting);
        finding.title = Message("collective_wait.title",
            "{gpu} waits {bound, select, least {at least about } other {}}{time} inside collectives for other ranks{when, "
            "select, each {, {each} per step} some {, most of it in {waiting} of {steps, plural, one {# step} other {# "
            "steps}}} other {}}",
            {{"gpu", Name{gpuName(context.trace, gpu.process, gpu.device)}}, {"bound", bound},
                {"time", Duration{waiting}}, {"when", when},
                {"each", Duration{waiting / static_cast<Ns>(std::max<std::size_t>(1, steps.steady()))}},
                {"waiting", Count{waitingSteps}}, {"steps", Count{steps.steady()}}});
        finding.message = Message("collective_wait.slow",
            "{collectives, plural, one {# collective takes} other {# collectives take}} far longer than the fastest of the "
            "same kind and size.",
            {{"collectives", Count{waits.size()}}});
        finding.message += Message("collective_wait.time",
            "The time above 1.25 times the fastest is {all}, {exposed} of it while nothing computes.",
            {{"all", Duration{totalTime(gpu.waiting)}}, {"exposed", Duration{waiting}}});
        if (inMost || steps.steady() == 0)
            finding.message += Message("collective_wait.early", "This rank is not slow, it is early.");
        if (gpus.size() == 1)
            finding.message += Message("collective_wait.bound",
                "The fastest may have waited as well: open the reports of the other ranks together for exact waits.");
        if (const auto [other, late] = lateGpu(context, gpu, gpus); other)
            finding.message += Message("collective_wait.last", "{gpu} arrives last, {time} late in total.",
                {{"gpu", nameWithProcess(context.trace, GpuKey{other->process, other->device, -1})},
                    {"time", Duration{late}}});
        tellOnce(all, gpu, waiting, exposedWaiting, finding);
        sortLongestFirst(context.trace, waits);
        finding.claims = gpu.exposedWaiting;
        setEvidence(finding, context.trace, waits, [&](EventRef event) {
            return Message(
                "collective_wait.wait", "waits {time} of it", {{"time", Duration{waited[event.index]}}});
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule ncclExposed{
    .id = shareId,
    .title = "Exposed communication",
    .why
    = "Communication is free while kernels compute at the same time. The rest adds to every step, and grows with every "
      "GPU.",
    .remedy
    = "Start to communicate while kernels still compute, send less (16-bit types, gradient accumulation), or spread "
      "it over the step. Check that NCCL uses NVLink (NCCL_DEBUG=INFO).",
    .caveat
    = "A single report shows its own ranks only: the rule assumes that the fastest collective of each size did not "
      "wait. Open the reports of all ranks together for exact waits.",
    .thresholds = shareThresholds,
    .applies = hasCommunication,
    .check = findShare,
    .absorbs = absorbed,
};

extern constinit const Rule collectiveWait{
    .id = waitId,
    .title = "Waiting inside collectives for a late rank",
    .why
    = "A collective starts when the last rank enters it. Until then, the others spin in their kernels: the GPU looks "
      "busy and does nothing.",
    .remedy
    = "Look at the late rank, not at this one: uneven shares of the work, slow input, logging or checkpoints on one "
      "rank only, a slower GPU or CPU.",
    .caveat
    = "A single report shows its own ranks only: the rule assumes that the fastest collective of each size did not "
      "wait. Open the reports of all ranks together for exact waits.",
    .thresholds = waitThresholds,
    .applies = hasCommunication,
    .check = findWaits,
    .absorbs = absorbed,
};

} // namespace warpline::collectives
