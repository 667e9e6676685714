// Steps and phases out of proportion: warm-up, single steps far slower than their peers, and phases in which
// the host mostly waits for the GPU (a hidden synchronization, often in the optimizer).

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/idle_gaps.h"
#include "core/steps/slow_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "nvtx_outlier_steps";
constexpr std::array<Threshold, 3> thresholds{
    {{"factor", "A step is slow from this many times the median", "", SlowStepLimits{}.factor},
        {"min_excess", "Minimum excess of slow steps (share of the steps' time)", "%", 2},
        {"min_longer_ns", "A slow step takes at least this much longer", "ns",
            static_cast<double>(SlowStepLimits{}.longerBy)}}};

constexpr std::string_view phaseId = "phase_holds_sync";
constexpr std::array<Threshold, 2> phaseThresholds{
    {{"min_share", "Minimum share of the steps' time that a phase takes", "%", 5},
        {"min_wait", "Minimum share of the phase that is spent in waits", "%", 30}}};
constexpr std::array<std::string_view, 2> phaseAbsorbs{"sync_per_iteration", "cuda_api_sync"};

void findWarmUp(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    if (steps.firstSteady == 0)
        return;
    Finding finding;
    finding.process = processOf(steps.thread);
    finding.severity = Severity::Info; // expected, and paid once
    finding.confidence = Confidence::Certain;
    std::vector<EventRef> warm(
        steps.events.begin(), steps.events.begin() + static_cast<std::ptrdiff_t>(steps.firstSteady));
    Ns total = 0;
    for (const EventRef& step : warm)
        total += context.trace.range(step).duration();
    const std::string each = formatDuration(total / static_cast<Ns>(warm.size()));
    finding.title = warm.size() == 1
        ? fmt::format("Warm-up: the first of {} steps takes {}, later ones {}", formatCount(steps.size()),
            each, formatDuration(steps.median))
        : fmt::format("Warm-up: the first {} of {} steps take {} each, later ones {}",
            formatCount(warm.size()), formatCount(steps.size()), each, formatDuration(steps.median));
    finding.message = fmt::format(
        "{} of warm-up ({}). Averages over all steps include it.", formatDuration(total), steps.pattern);
    finding.why = "The first steps load modules, choose algorithms, compile and allocate. They say nothing "
                  "about the speed of the "
                  "others.";
    finding.remedy = "Leave them out when you measure: select the later steps here, or record only those "
                     "(--capture-range=cudaProfilerApi). Look at 10 to 20 steady steps at least.";
    setEvidence(finding, context.trace, warm, [](EventRef) { return std::string("warm-up"); });
    findings.push_back(std::move(finding));
}

void findOutliers(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    std::vector<Ns> durations;
    for (const TimeRange& range : steps.ranges)
        durations.push_back(range.duration());
    std::vector<EventRef> outliers;
    std::map<EventIndex, Ns> typical; // of the peers of each: a prefill is no slow decode
    Ns excess = 0;
    const SlowStepLimits limits{
        context.threshold(id, thresholds[0]), static_cast<Ns>(context.threshold(id, thresholds[2]))};
    for (const std::size_t i : slowSteps(durations, steps.typical, steps.firstSteady, limits)) {
        outliers.push_back(steps.events[i]);
        typical[steps.events[i].index] = steps.typical[i];
        excess += durations[i] - steps.typical[i];
    }
    if (outliers.empty()
        || static_cast<double>(excess) * 100
            < context.threshold(id, thresholds[1]) * static_cast<double>(steps.span().duration()))
        return;
    std::ranges::stable_sort(
        outliers, std::greater{}, [&](EventRef step) { return context.trace.range(step).duration(); });
    Finding finding;
    finding.process = processOf(steps.thread);
    finding.saving = excess;
    finding.severity = severityOf(context, excess);
    finding.title = fmt::format("{} of {} {} far slower than the rest", formatCount(outliers.size()),
        counted(steps.steady(), "step"), outliers.size() == 1 ? "is" : "are");
    finding.message
        = fmt::format("The middle steady step ({}) takes {}; these take up to {}, {} longer in all.",
            steps.pattern, formatDuration(steps.median),
            formatDuration(context.trace.range(outliers.front()).duration()), formatDuration(excess));
    for (const EventRef& step : outliers)
        finding.claims.push_back(context.trace.range(step));
    finding.claims = unionOf(std::move(finding.claims), context.window);
    setEvidence(finding, context.trace, outliers, [&](EventRef step) {
        const double times = static_cast<double>(context.trace.range(step).duration())
            / static_cast<double>(std::max<Ns>(1, typical[step.index]));
        return formatReal(times, 1) + " times the middle step of its kind";
    });
    findings.push_back(std::move(finding));
}

std::vector<StepSeries> allSteps(const RuleContext& context)
{
    std::vector<StepSeries> all;
    for (const auto& [pid, steps] : factsOf(context).allSteps())
        all.push_back(steps);
    return all;
}

std::vector<Finding> findSlowSteps(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const StepSeries& steps : allSteps(context)) {
        findWarmUp(context, steps, findings);
        findOutliers(context, steps, findings);
    }
    return findings;
}

struct Phase {
    std::vector<EventRef> ranges;
    Ns total = 0;
    Ns waiting = 0;
};

/// The ranges inside steady steps by name, with the time their thread spent in waits.
std::map<StringId, Phase> phasesOf(const RuleContext& context, const StepSeries& steps)
{
    const NvtxTable& nvtx = context.trace.nvtx();
    const HostActivity& host = factsOf(context).host(steps.thread);
    std::map<StringId, Phase> phases;
    for (const Track& track : nvtx.tracks) {
        if (track.owner != steps.thread || !context.trace.text(track.family).empty())
            continue;
        for (const EventIndex i : eventsOf(track, context.stop)) {
            const std::size_t step = steps.at(nvtx.start[i]);
            const bool inside = step < steps.size() && step >= steps.firstSteady
                && steps.events[step].index != i && nvtx.end(i) <= steps.ranges[step].end;
            if (!inside || nvtx.duration[i] <= 0)
                continue;
            Phase& phase = phases[nvtx.name[i]];
            phase.ranges.push_back({EventKind::Nvtx, i});
            phase.total += nvtx.duration[i];
            phase.waiting += host.split(nvtx.range(i))[indexOf(HostDoing::Waiting)];
        }
    }
    return phases;
}

std::vector<Finding> findWaitingPhases(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const StepSeries& steps : allSteps(context)) {
        for (auto& [name, phase] : phasesOf(context, steps)) {
            if (phase.ranges.size() * 2 < steps.steady()
                || static_cast<double>(phase.total) * 100 < context.threshold(phaseId, phaseThresholds[0])
                        * static_cast<double>(steps.span().duration())
                || static_cast<double>(phase.waiting) * 100
                    < context.threshold(phaseId, phaseThresholds[1]) * static_cast<double>(phase.total))
                continue;
            Finding finding;
            finding.process = processOf(steps.thread);
            finding.severity = Severity::Low; // the GPU may well be busy meanwhile
            finding.confidence = Confidence::Possible;
            finding.title
                = fmt::format("Phase {} spends {} of its time waiting for the GPU", context.trace.text(name),
                    formatShare(static_cast<double>(phase.waiting) / static_cast<double>(phase.total)));
            finding.message = fmt::format(
                "{} take {}, {} of the steps' time, and hold {} of synchronizing calls. The phase looks "
                "long because it waits for work that was launched before it.",
                counted(phase.ranges.size(), "range"), formatDuration(phase.total),
                formatShare(static_cast<double>(phase.total)
                    / static_cast<double>(std::max<Ns>(1, steps.span().duration()))),
                formatDuration(phase.waiting));
            std::ranges::stable_sort(phase.ranges, std::greater{},
                [&](EventRef range) { return context.trace.range(range).duration(); });
            setEvidence(
                finding, context.trace, phase.ranges, [](EventRef) { return std::string("holds a wait"); });
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

bool hasRanges(const Trace& trace)
{
    return !trace.nvtx().empty();
}

} // namespace

extern constinit const Rule nvtxOutlierSteps{
    .id = id,
    .title = "Outlier steps",
    .why
    = "A step that takes far longer than its peers costs time that no kernel needs, and spoils averages.",
    .remedy = "Compare a slow step with its neighbour: look for input that ran out, allocation, garbage "
              "collection, logging, evaluation, checkpoints, and other processes on the machine.",
    .thresholds = thresholds,
    .applies = hasRanges,
    .check = findSlowSteps,
};

extern constinit const Rule phaseHoldsSync{
    .id = phaseId,
    .title = "A phase that hides a synchronization",
    .why = "A phase that waits is charged for the work of the phases before it: what looks like a slow "
           "phase is often a hidden wait.",
    .remedy = "Look at the CUDA API row inside the range for calls that wait. Judge phases by their row on "
              "the GPU, not by their length on the CPU.",
    .thresholds = phaseThresholds,
    .applies = hasRanges,
    .check = findWaitingPhases,
    .absorbs = phaseAbsorbs,
};

} // namespace warpline
