// Collectives: how much of the steps they take, how much of that no computing hides, what rate the messages
// reach, and how much of it is not communication at all but waiting for a rank that comes late.

#include "core/findings/collectives.h"

#include "core/base/format.h"
#include "core/base/saturate.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/dependency_waits.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_activity.h"
#include "core/store/gpu_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view shareId = "nccl_exposed";
constexpr Threshold shareMinShare{"min_share", "Minimum share of collectives in the measured time", "%", 1};
constexpr Threshold bottleneckLimit{
    "bottleneck", "They are a bottleneck from this exposed share on", "%", 20};
constexpr std::array shareThresholds{shareMinShare, bottleneckLimit};
constexpr std::array<std::string_view, 2> absorbed{"gpu_idle_cause", "gpu_time_util"};

constexpr std::string_view waitId = "collective_wait";
constexpr Threshold waitMinShare{"min_share", "Minimum share of the measured time, not hidden", "%", 3};
constexpr Threshold minWait{"min_wait_ns", "Minimum wait that is listed", "ns", 500'000};
constexpr std::array waitThresholds{waitMinShare, minWait};

/// "ncclAllReduce: 72 of 26.2 MB on average, at 51.2 GB/s": each kind of collective, those with most time
/// first.
std::string kindsOf(const Trace& trace, const CollectiveWork& gpu)
{
    struct Kind {
        std::uint64_t count = 0;
        std::int64_t bytes = 0;
        double best = 0; ///< bytes per ns
        Ns time = 0;
    };
    std::map<std::string, Kind> kinds;
    for (const Collective& each : gpu.collectives) {
        const Ns time = trace.kernels().duration[each.kernel];
        const std::string name(each.range != StringId{}
                ? trace.text(each.range)
                : trace.displayName({EventKind::Kernel, each.kernel}));
        Kind& kind = kinds[name];
        ++kind.count;
        kind.time += time;
        if (each.bytes > 0 && time > 0) {
            kind.bytes = saturatingAdd(kind.bytes, each.bytes);
            kind.best = std::max(kind.best, static_cast<double>(each.bytes) / static_cast<double>(time));
        }
    }
    std::vector<std::pair<std::string, Kind>> sorted(kinds.begin(), kinds.end());
    std::ranges::sort(sorted, std::greater{}, [](const auto& kind) { return kind.second.time; });
    std::string text;
    for (const auto& [name, kind] : sorted) {
        text += fmt::format("{}{}: {} in {}", text.empty() ? "" : "; ", name, formatCount(kind.count),
            formatDuration(kind.time));
        if (kind.bytes > 0)
            text += fmt::format(" ({} in all, {} on average, the fastest {})",
                formatBytes(static_cast<std::uint64_t>(kind.bytes)),
                formatThroughput(
                    static_cast<double>(kind.bytes) * 1e9 / static_cast<double>(std::max<Ns>(1, kind.time))),
                formatThroughput(kind.best * 1e9));
    }
    return text;
}

/// "171.3 ms is exposed: 168.5 ms waiting for a rank that comes late, 2.800 ms communication".
std::string exposedParts(Ns exposed, Ns waiting)
{
    if (exposed == 0)
        return "nothing is exposed";
    if (waiting == 0)
        return formatDuration(exposed) + " is exposed, none of it waiting for other ranks";
    if (exposed == waiting)
        return formatDuration(exposed) + " is exposed, all of it waiting for other ranks";
    return fmt::format(
        "{} is exposed: at least about {} waiting for other ranks, at most about {} communication",
        formatDuration(exposed), formatDuration(waiting), formatDuration(exposed - waiting));
}

/// The question asked of the measured time alone: what is told in figures beside its length must lie in it.
RuleContext withinMeasured(const RuleContext& context)
{
    RuleContext within = context;
    within.window = context.facts.measuredRange();
    return within;
}

/// Sets what `all` of the same GPU, over the whole window, has beyond the `inside` of the measured time.
void tellOnce(const std::vector<CollectiveWork>& all, const CollectiveWork& gpu, Ns inside,
    Ns (*timeOf)(const CollectiveWork&), Finding& finding)
{
    for (const CollectiveWork& whole : all) {
        if (whole.process == gpu.process && whole.device == gpu.device)
            finding.once = std::max<Ns>(0, timeOf(whole) - inside);
    }
    if (finding.once > 0)
        finding.message += fmt::format(" {} more lie before or after the measured time: paid once, they do "
                                       "not count here.",
            formatDuration(finding.once));
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
    const std::vector<CollectiveWork> all = collectiveWork(context);
    for (const CollectiveWork& gpu : collectiveWork(withinMeasured(context))) {
        const Ns total = totalTime(gpu.communicating);
        const Ns exposed = totalTime(gpu.exposed);
        const Ns waiting = totalTime(gpu.exposedWaiting);
        if (shareOf(total, measured) * 100 < context.threshold(shareId, shareMinShare))
            continue;
        const bool bottleneck
            = shareOf(exposed, measured) * 100 >= context.threshold(shareId, bottleneckLimit);
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        // The fastest of this rank may have waited, too: without the others' reports the split is a bound.
        finding.confidence = waiting > 0 ? Confidence::Likely : Confidence::Certain;
        finding.saving = exposedCommunication(gpu);
        finding.severity = severityOf(context, finding.saving);
        const std::string name = gpuName(context.trace, gpu.process, gpu.device);
        finding.title = exposed > 0
            ? fmt::format("{}: communication exposed for {} ({} of the measured time){}", name,
                formatDuration(exposed), formatShare(shareOf(exposed, measured)),
                bottleneck && waiting * 2 < exposed ? ": a bottleneck" : "")
            : fmt::format("{}: communication runs for {}, all of it hidden", name, formatDuration(total));
        finding.message
            = fmt::format("Collectives run for {}, {} of the measured time. Computing hides {}; {}. {}.",
                formatDuration(total), formatShare(shareOf(total, measured)),
                total > exposed ? formatDuration(total - exposed) : std::string("nothing of it"),
                exposedParts(exposed, waiting), kindsOf(context.trace, gpu));
        tellOnce(all, gpu, finding.saving, exposedCommunication, finding);
        finding.claims = difference(gpu.exposed, gpu.exposedWaiting);
        const std::vector<DependencyWait> waits
            = dependencyWaits(context.trace, gpu.process, gpu.device, context.window);
        setStretches(finding, gpu.exposed, [&waits](TimeRange range) {
            const std::string alone = formatDuration(range.duration()) + " of communication alone";
            const DependencyWait* const wait = waitIn(waits, range);
            return wait ? alone + ": " + wait->text : alone;
        });
        if (gpu.exposed.empty())
            finding.where = gpu.communicating.front();
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
            continue; // the ranks' collectives cannot be told to be the same
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
    RunFacts& facts = context.facts;
    const KernelTable& kernels = context.trace.kernels();
    const std::vector<CollectiveWork> all = collectiveWork(context);
    const std::vector<CollectiveWork> gpus = collectiveWork(withinMeasured(context));
    for (const CollectiveWork& gpu : gpus) {
        const Ns waiting = exposedWaiting(gpu);
        if (shareOf(waiting, facts.measured()) * 100 < context.threshold(waitId, waitMinShare))
            continue;
        std::vector<EventRef> waits;
        std::map<EventIndex, Ns> waited;
        for (const Collective& each : stoppableItems(gpu.collectives, context.stop)) {
            if (static_cast<double>(each.waiting) < context.threshold(waitId, minWait))
                continue;
            waits.push_back({EventKind::Kernel, each.kernel});
            waited[each.kernel] = each.waiting;
        }
        const StepSeries& steps = facts.steps(gpu.process);
        const std::size_t waitingSteps = stepsWith(steps, gpu.exposedWaiting);
        // A mean over all steps hides that few of them wait.
        const bool inMost = waitingSteps * 2 > steps.steady();
        const std::string each = steps.steady() == 0 ? std::string()
            : inMost ? fmt::format(", {} a step", formatDuration(waiting / static_cast<Ns>(steps.steady())))
                     : fmt::format(", most of it in {} of {}", waitingSteps, counted(steps.steady(), "step"));
        // The fastest of a rank that is alone in its report may have waited itself: a bound.
        const std::string_view about = gpus.size() == 1 ? "at least about " : "";
        const std::string inSteps = inMost || steps.steady() == 0
            ? std::string(" This rank is not slow, it is early.")
            : std::string();
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.saving = waiting;
        finding.severity = severityOf(context, waiting);
        finding.title = fmt::format("{} waits {}{} inside collectives for other ranks{}",
            gpuName(context.trace, gpu.process, gpu.device), about, formatDuration(waiting), each);
        finding.message = fmt::format(
            "{} take far longer than the fastest of the same kind and size: beyond one and a quarter of that they wait {} in "
            "all, {} of it while nothing computes.{}",
            counted(waits.size(), "collective"), formatDuration(totalTime(gpu.waiting)),
            formatDuration(waiting), inSteps);
        if (gpus.size() == 1)
            finding.message += " The fastest may have waited as well: the reports of the other ranks, opened "
                               "together with this one, tell it exactly.";
        if (const auto [other, late] = lateGpu(context, gpu, gpus); other)
            finding.message += fmt::format(" {} arrives last, {} late in total.",
                nameOf(context.trace, GpuKey{other->process, other->device, -1}), formatDuration(late));
        tellOnce(all, gpu, waiting, exposedWaiting, finding);
        std::ranges::stable_sort(
            waits, std::greater{}, [&](EventRef event) { return kernels.duration[event.index]; });
        finding.claims = gpu.exposedWaiting;
        setEvidence(finding, context.trace, waits,
            [&](EventRef event) { return "waits " + formatDuration(waited[event.index]) + " of it"; });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule ncclExposed{
    .id = shareId,
    .title = "Communication that nothing hides",
    .why = "Communication costs nothing while kernels compute beside it. What is left over adds to every "
           "step, and more so with every GPU that is added.",
    .remedy = "Begin to communicate while kernels still compute, send less (16-bit types, several rounds "
              "summed before they are sent), or spread it over the step. Check that NVLink is used "
              "(NCCL_DEBUG=INFO).",
    .thresholds = shareThresholds,
    .applies = hasCommunication,
    .check = findShare,
    .absorbs = absorbed,
};

extern constinit const Rule collectiveWait{
    .id = waitId,
    .title = "Waiting inside collectives for a late rank",
    .why = "A collective begins when the last rank enters it. The others spin in their kernel meanwhile: "
           "the GPU looks busy and does nothing.",
    .remedy = "Look at the rank that comes late, not at this one: uneven shares of the work, slow input, "
              "logging or checkpoints on one rank only, a slower GPU or CPU.",
    .thresholds = waitThresholds,
    .applies = hasCommunication,
    .check = findWaits,
    .absorbs = absorbed,
};

} // namespace warpline
