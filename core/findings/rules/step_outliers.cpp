// Steps out of proportion: warm-up, and single steps far slower than their peers.

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/idle_gaps.h"
#include "core/steps/outlying_steps.h"
#include "core/steps/step_judge.h"
#include "core/store/event_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "nvtx_outlier_steps";
constexpr Threshold factor{
    "factor", "A step is slow from this many times the median", "", SlowStepLimits{}.factor};
constexpr Threshold minExcess{
    "min_excess", "Minimum excess of slow steps (share of the steps' time)", "%", 2};
constexpr Threshold minLonger{"min_longer_ns", "A slow step takes at least this much longer", "ns",
    static_cast<double>(SlowStepLimits{}.longerBy)};
constexpr std::array thresholds{factor, minExcess, minLonger};

void findWarmUp(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    const CutSteps cut = cutSteps(context.trace, steps);
    if (steps.firstSteady == 0 || wholeSteadySteps(steps, cut) == 0)
        return;
    Finding finding;
    finding.process = processOf(steps.thread);
    finding.subject = {Subject::Kind::Part, "warm_up"};
    finding.severity = Severity::Info; // expected, and paid once
    finding.confidence = Confidence::Certain;
    std::vector<EventRef> warm;
    for (std::size_t i = 0; i < steps.firstSteady; ++i) {
        if (!cut.holds(i))
            warm.push_back(steps.events[i]);
    }
    if (warm.empty())
        return;
    Ns total = 0;
    Ns longest = 0;
    for (const EventRef& step : warm) {
        total += context.trace.range(step).duration();
        longest = std::max(longest, context.trace.range(step).duration());
    }
    finding.topic
        = "nvtx_outlier_steps.warm_up"; // what makes a step slow is not what makes the first ones so
    finding.title = warm.size() == 1
        ? fmt::format("Warm-up: the first of {} steps takes {}, later ones {}", formatCount(steps.size()),
            formatDuration(total), formatDuration(steps.median))
        : fmt::format("Warm-up: the first {} of {} steps take up to {}, later ones {}",
            formatCount(warm.size()), formatCount(steps.size()), formatDuration(longest),
            formatDuration(steps.median));
    finding.message = fmt::format(
        "{} of warm-up ({}). Averages over all steps include it.", formatDuration(total), steps.pattern);
    finding.why = "The first steps load modules, choose algorithms, compile and allocate. They say nothing "
                  "about the speed of the others.";
    finding.remedy = "Leave them out when you measure: select the later steps here, or record only those "
                     "(--capture-range=cudaProfilerApi). Look at 10 to 20 steady steps at least.";
    setEvidence(finding, context.trace, warm, [](EventRef) { return std::string("warm-up"); });
    findings.push_back(std::move(finding));
}

/// What a step spends in calls of communication libraries, in the program's own ranges and in calls of the
/// operating system, by name.
struct StepParts {
    TimeByName calls;
    TimeByName ranges;
    TimeByName system;
};

StepParts partsOf(const RuleContext& context, const StepSeries& steps, std::size_t step)
{
    const TimeRange range = steps.ranges[step];
    const Intervals calls = context.facts.host(steps.thread).within(HostDoing::Communicating, range);
    StepParts parts;
    addCommunication(context.trace, steps.thread, calls, parts.calls, context.stop);
    addOwnRanges(context.trace, steps.thread, difference({range}, calls), parts.ranges, context.stop);
    addOsCalls(context.trace, steps.thread, {range}, parts.system);
    return parts;
}

/// What of a slow step takes longer than in the steady step that is most like the usual one.
struct Growth {
    std::string name; ///< of a call or a range; empty: nothing in it has a name
    Ns longer = 0;
    bool waits = false; ///< it is a call that waits for other processes
    std::string copies; ///< " It copies 44.1 MB to the host ...": far more than usual; else empty
};

/// Copies to the host that begin in `range`.
struct CopiesBack {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

CopiesBack copiesBackIn(const RuleContext& context, TimeRange range)
{
    const MemcpyTable& copies = context.trace.memcpys();
    CopiesBack back;
    for (const Lane& lane : copies.lanes) {
        const auto [first, last] = copies.touching(lane, range);
        for (const EventIndex i : stoppable(first, last, context.stop)) {
            if (copies.copy(i).kind != CopyKind::DtoH || !range.contains(copies.start[i]))
                continue;
            ++back.count;
            back.bytes += copies.bytes[i];
        }
    }
    return back;
}

/// Results and weights that are written now and then come to the host first.
std::string moreCopies(const RuleContext& context, TimeRange usual, TimeRange slow)
{
    constexpr std::uint64_t much = 1'000'000;
    const CopiesBack before = copiesBackIn(context, usual);
    const CopiesBack after = copiesBackIn(context, slow);
    return after.bytes < much || after.bytes < 10 * before.bytes
        ? std::string()
        : fmt::format(" It copies {} to the host ({}), {} in a usual step: as a checkpoint does.",
            formatBytes(after.bytes), counted(after.count, "copy", "copies"),
            before.count > 0 ? formatBytes(before.bytes) : std::string("nothing"));
}

Growth growthOf(const RuleContext& context, const StepSeries& steps, std::size_t slow)
{
    std::size_t usual = slow;
    Ns closest = std::numeric_limits<Ns>::max();
    const CutSteps cut = cutSteps(context.trace, steps);
    for (std::size_t i = steps.firstSteady; i < steps.size(); ++i) {
        const Ns off = std::abs(steps.ranges[i].duration() - steps.typical[slow]);
        if (i != slow && !cut.holds(i) && off < closest) {
            closest = off;
            usual = i;
        }
    }
    const StepParts before = partsOf(context, steps, usual);
    const StepParts after = partsOf(context, steps, slow);
    // What grows by less than this explains nothing.
    const Ns least = (steps.ranges[slow].duration() - steps.typical[slow]) / 5;
    Growth most;
    for (const auto& [grown, base] : {std::pair(&after.calls, &before.calls),
             std::pair(&after.ranges, &before.ranges), std::pair(&after.system, &before.system)}) {
        if (grown == &after.system && !most.name.empty())
            break;
        std::map<std::string, Ns> longer;
        for (const auto& [name, time] : *grown)
            longer[withoutNumbers(context.trace.text(name))] += time;
        for (const auto& [name, time] : *base)
            longer[withoutNumbers(context.trace.text(name))] -= time;
        for (const auto& [name, time] : longer) {
            if (time > std::max(least, most.longer) && name != steps.pattern)
                most = {name, time, grown == &after.calls, {}};
        }
    }
    most.copies = moreCopies(context, steps.ranges[usual], steps.ranges[slow]);
    return most;
}

/// ", each 5 steps after the one before": where slow steps come at one distance; else empty.
std::string rhythmOf(const std::vector<OutlyingStep>& outliers)
{
    std::vector<std::size_t> places;
    for (const OutlyingStep& step : outliers)
        places.push_back(step.index);
    std::ranges::sort(places);
    const std::size_t apart = places.size() > 2 ? places[1] - places[0] : 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (places[i] - places[i - 1] != apart)
            return {};
    }
    return apart > 1 ? fmt::format(", each {} after the one before", counted(apart, "step")) : std::string();
}

/// The slow steps of `series`, those that take most longer first.
std::vector<OutlyingStep> slowOf(const RuleContext& context, const StepSeries& series)
{
    GpuSteps steps;
    // Of several GPUs of a thread the first tells, as in the table of steps.
    auto onGpus = gpuStepsOf(context.trace, {{series, StepSource::Nvtx}}, context.stop);
    if (onGpus.empty())
        steps.host = series;
    else
        steps = std::move(onGpus.front());
    std::vector<OutlyingStep> slow = outlyingSteps(
        steps, {context.threshold(id, factor), static_cast<Ns>(context.threshold(id, minLonger))});
    // What the window cuts off a step of the GPU is not known.
    std::erase_if(slow, [&](const OutlyingStep& step) {
        const TimeRange range = steps.rangeOf(step.index);
        return step.onGpu && range.clippedTo(context.window) != range;
    });
    std::ranges::stable_sort(slow, std::greater{}, &OutlyingStep::length);
    return slow;
}

/// "step_10 takes 21.59 ms, the middle one 5.444 ms: assemble 20.08 ms longer"; several: "3 of 28 steps are
/// far slower than the rest, most step_7: ...".
std::string titleOf(const RuleContext& context, const StepSeries& steps,
    const std::vector<OutlyingStep>& outliers, const Growth& growth)
{
    const OutlyingStep& worst = outliers.front();
    const std::string name = toUtf8(context.trace.name(steps.events[worst.index]));
    const std::size_t whole = wholeSteadySteps(steps, cutSteps(context.trace, steps));
    std::string title = outliers.size() == 1
        ? fmt::format("{} takes {}{}, the middle one of {} {}", name, formatDuration(worst.length),
            worst.onGpu ? " on the GPU" : "", counted(whole, "step"),
            formatDuration(worst.onGpu ? worst.usual : steps.median))
        : fmt::format("{} of {} are far slower than the rest, {} most{}", formatCount(outliers.size()),
            counted(whole, "step"), name, rhythmOf(outliers));
    if (!growth.name.empty())
        title += fmt::format(": {} {} longer", toUtf8(growth.name), formatDuration(growth.longer));
    return title;
}

void findOutliers(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    const std::vector<OutlyingStep> outliers = slowOf(context, steps);
    Ns excess = 0;
    Ns felt = 0;
    std::map<EventIndex, OutlyingStep> byRange;
    std::vector<EventRef> ranges;
    for (const OutlyingStep& step : outliers) {
        excess += step.length - step.usual;
        felt += step.felt;
        ranges.push_back(steps.events[step.index]);
        byRange.emplace(ranges.back().index, step);
    }
    if (outliers.empty()
        || static_cast<double>(excess) * 100
            < context.threshold(id, minExcess) * static_cast<double>(steps.span().duration()))
        return;
    Finding finding;
    finding.process = processOf(steps.thread);
    finding.saving = felt;
    finding.cure.edits.push_back(editOfAll(CureKind::EvenSteps));
    finding.severity = severityOf(context, felt);
    const Growth growth
        = outliers.front().onGpu ? Growth{} : growthOf(context, steps, outliers.front().index);
    finding.title = titleOf(context, steps, outliers, growth);
    finding.heldUp = growth.waits;
    finding.message = fmt::format("The middle steady step ({}) takes {}; {} {} longer in all.", steps.pattern,
        formatDuration(steps.median),
        outliers.size() == 1 ? "this one takes"
                             : fmt::format("these take up to {},", formatDuration(outliers.front().length)),
        formatDuration(excess));
    if (felt * 10 < excess * 9)
        finding.message += fmt::format(
            " The GPU takes only {} longer: it had work in its queue for the rest.", formatDuration(felt));
    finding.message += growth.copies;
    if (growth.waits)
        finding.message += fmt::format(" What grows is {}: this process waits for another one.", growth.name);
    finding.subject.kind = Subject::Kind::Steps;
    for (const EventRef& step : ranges)
        finding.subject.name
            += (finding.subject.name.empty() ? "" : " ") + std::string(context.trace.name(step));
    Intervals time;
    for (const EventRef& step : ranges)
        time.push_back(context.trace.range(step));
    time = unionOf(std::move(time), context.window, context.stop);
    // Steps that load as long as the others are slow for another reason: loading is no part of what they
    // claim.
    if (!isDataLoading(growth.name))
        time = difference(
            time, context.facts.host(steps.thread).within(HostDoing::LoadingData, context.window));
    finding.claims = time;
    setEvidence(finding, context.trace, ranges, [&](EventRef range) {
        const OutlyingStep& step = byRange.at(range.index);
        return fmt::format("{} times the median step of its kind{}",
            formatReal(
                static_cast<double>(step.length) / static_cast<double>(std::max<Ns>(1, step.usual)), 1),
            step.onGpu ? " on the GPU" : "");
    });
    findings.push_back(std::move(finding));
}

std::vector<StepSeries> allSteps(const RuleContext& context)
{
    std::vector<StepSeries> all;
    for (const auto& [pid, steps] : context.facts.allSteps())
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

bool hasRanges(const Trace& trace, const std::stop_token&)
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
    .caveat = "A step may have more to do: evaluation, a checkpoint, a longer input.",
    .thresholds = thresholds,
    .applies = hasRanges,
    .check = findSlowSteps,
};

} // namespace warpline
