// Steps out of proportion: warm-up, and single steps far slower than their peers.

#include "core/analysis/idle_gaps.h"
#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_story.h"
#include "core/findings/waits.h"
#include "core/replay/data_loading.h"
#include "core/steps/gpu_steps.h"
#include "core/steps/outlying_steps.h"
#include "core/steps/slow_steps.h"
#include "core/steps/step_judge.h"
#include "core/store/event_loops.h"
#include "core/store/part_of_recording.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <span>

namespace warpline::step_outliers {

namespace {

constexpr std::string_view id = "nvtx_outlier_steps";
constexpr Threshold factor{
    "factor", "Minimum length of a slow step (times the median)", "", SlowStepLimits{}.factor};
constexpr Threshold minExcess{
    "min_excess", "Minimum excess of slow steps (share of the steps' time)", "%", 2};
constexpr Threshold minLonger{"min_longer_ns", "A slow step takes at least this much longer", "ns",
    static_cast<double>(SlowStepLimits{}.longerBy)};
constexpr std::array thresholds{factor, minExcess, minLonger};

/// Leaves out of `warm` the steps that take longer because the GPU worked for other processes: no warm-up.
void eraseShared(const RuleContext& context, const StepSeries& steps, std::vector<EventRef>& warm)
{
    const PackedIntervals others
        = timeOfOthers(context.trace, context.facts, processOf(steps.thread), context.window);
    std::vector<Ns> usual;
    for (const TimeRange& step : std::span(steps.ranges).subspan(steps.firstSteady))
        usual.push_back(others.timeIn(step));
    const Ns ofOthers = upperMedian(std::move(usual));
    std::erase_if(warm, [&](EventRef step) {
        const TimeRange range = context.trace.range(step);
        const Ns longer = range.duration() - steps.median;
        return longer > 0 && (others.timeIn(range) - ofOthers) * 2 >= longer;
    });
}

/// For a choice of a message: {unit, select, frame {frames} other {steps}}.
Name unitOf(const StepSeries& steps)
{
    return {steps.isFrames ? "frame" : "step"};
}

void findWarmUp(const RuleContext& context, const StepSeries& steps, const std::vector<GpuSteps>& onGpus,
    std::vector<Finding>& findings)
{
    const CutSteps cut = cutSteps(context.trace, steps);
    if (steps.firstSteady == 0 || wholeSteadySteps(steps, cut) == 0)
        return;
    // Expected, and a one-time cost.
    Finding finding = findingWith(Severity::Info, Confidence::Certain, processOf(steps.thread));
    finding.subject = {Subject::Kind::Part, "warm_up"};
    std::vector<EventRef> warm;
    for (std::size_t i = 0; i < steps.firstSteady; ++i) {
        if (!cut.holds(i))
            warm.push_back(steps.events[i]);
    }
    eraseShared(context, steps, warm);
    if (warm.empty())
        return;
    Ns total = 0;
    Ns longest = 0;
    for (const EventRef& step : warm) {
        total += context.trace.range(step).duration();
        longest = std::max(longest, context.trace.range(step).duration());
    }
    finding.topic = "nvtx_outlier_steps.warm_up"; // other causes than those of slow first steps
    finding.title = Message("nvtx_outlier_steps.warm_up_title",
        "Warm-up: {warm, plural, one {the first of {steps} {unit, select, frame {frames} other {steps}} takes {longest}} "
        "other {the first # of {steps} {unit, select, frame {frames} other {steps}} take up to {longest}}} on the host, "
        "later ones {usual}",
        {{"warm", Count{warm.size()}}, {"unit", unitOf(steps)}, {"steps", Count{steps.size()}},
            {"longest", Duration{longest}}, {"usual", Duration{steps.median}}});
    finding.message = Message("nvtx_outlier_steps.warm_up",
        "Warm-up takes {time} ({pattern}); averages over all {unit, select, frame {frames} other {steps}} include it.",
        {{"time", Duration{total}}, {"unit", unitOf(steps)}, {"pattern", Name{steps.pattern}}});
    // Ranges often end before their GPU work.
    if (!onGpus.empty() && onGpus.front().median > 2 * steps.median)
        finding.message += Message("nvtx_outlier_steps.on_gpu",
            "These are times of the launching thread; on the GPU a steady step takes {time}.",
            {{"time", Duration{onGpus.front().median}}});
    finding.why
        = Message("nvtx_outlier_steps.first_steps",
              "The first {unit, select, frame {frames} other {steps}} load modules, select algorithms, compile and "
              "allocate.",
              {{"unit", unitOf(steps)}})
        + Message("nvtx_outlier_steps.not_others",
            "They say nothing about the speed of the other {unit, select, frame {frames} other {steps}}.",
            {{"unit", unitOf(steps)}});
    finding.remedy
        = Message("nvtx_outlier_steps.exclude",
              "Exclude them when you measure: select the later {unit, select, frame {frames} other {steps}} here, or "
              "record only those{unit, select, frame {} other { (--capture-range=cudaProfilerApi)}}.",
              {{"unit", unitOf(steps)}})
        + Message("nvtx_outlier_steps.how_many",
            "Look at 10 to 20 steady {unit, select, frame {frames} other {steps}} or more.",
            {{"unit", unitOf(steps)}});
    setEvidence(finding, context.trace, warm, {"nvtx_outlier_steps.warm_up_step", "warm-up"});
    findings.push_back(std::move(finding));
}

/// The time of a step by name: calls of communication libraries, the program's own ranges, and calls of
/// graphics libraries and, outside of those, of the operating system.
struct StepParts {
    TimeByName calls;
    TimeByName ranges;
    TimeByName system;
};

StepParts partsOf(const RuleContext& context, const StepSeries& steps, std::size_t step)
{
    const TimeRange range = steps.ranges[step];
    const Intervals calls = context.facts.host(steps.thread).within(IdleCause::OtherRanks, range);
    StepParts parts;
    addCommunication(context.trace, steps.thread, calls, parts.calls, context.stop);
    addOwnRanges(context.trace, steps.thread, difference({range}, calls), parts.ranges, context.stop);
    const Intervals left = addGraphicsCalls(context.trace, steps.thread, {range}, parts.system, context.stop);
    addOsCalls(context.trace, steps.thread, left, parts.system);
    return parts;
}

/// A part of a slow step that takes longer than in the steady step that is closest to the typical one.
struct Growth {
    std::string name; ///< of a call or a range; empty: nothing in it has a name
    Ns longer = 0;
    bool waits = false; ///< a call that waits for other processes
    Message copies; ///< that it copies far more to the host than usual; else empty
};

/// Whether the graphics call `name` returns only when the GPU is done.
bool waitsForGraphics(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> waits{"vkWaitForFences", "vkWaitSemaphores",
        "vkQueueWaitIdle", "vkDeviceWaitIdle", "glFinish", "glClientWaitSync"};
    return std::ranges::find(waits, name) != waits.end();
}

/// Copies to the host that begin in `range`.
struct CopiesBack {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

CopiesBack copiesBackIn(const RuleContext& context, TimeRange range)
{
    const MemcpyTable& copies = context.trace.memcpys();
    CopiesBack back;
    for (const EventIndex i : eventsIn(copies, range, context.stop)) {
        if (copies.copy(i).kind != CopyKind::DtoH || !range.contains(copies.start[i]))
            continue;
        ++back.count;
        back.bytes += copies.bytes[i];
    }
    return back;
}

/// Results and weights that are written now and then come to the host first.
Message moreCopies(const RuleContext& context, TimeRange usual, TimeRange slow)
{
    constexpr std::uint64_t much = 1'000'000;
    const CopiesBack before = copiesBackIn(context, usual);
    const CopiesBack after = copiesBackIn(context, slow);
    return after.bytes < much || after.bytes < 10 * before.bytes
        ? Message()
        : Message("nvtx_outlier_steps.copies",
            "It copies {bytes} to the host in {copies, plural, one {# copy} other {# copies}}, as a checkpoint does; a "
            "usual step copies {some, select, yes {{usual}} other {nothing}}.",
            {{"bytes", Bytes{after.bytes}}, {"copies", Count{after.count}},
                {"some", yesOrNo(before.count > 0)}, {"usual", Bytes{before.bytes}}});
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
    // Smaller growth explains nothing.
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

/// Where nothing named explains `slow`: its time in CUDA calls and in own code.
Message unnamedText(const RuleContext& context, const StepSeries& steps, const OutlyingStep& slow)
{
    if (context.trace.apiCalls().empty())
        return {"nvtx_outlier_steps.no_calls", "No range and no recorded call in it takes much longer."};
    const auto inCalls = [&](std::size_t step) {
        Ns time = 0;
        forEachOuterCall(context, steps.thread, steps.ranges[step], [&](EventIndex call) {
            time += context.trace.apiCalls().range(call).clippedTo(steps.ranges[step]).duration();
        });
        return time;
    };
    std::vector<Ns> usual;
    for (std::size_t i = steps.firstSteady; i < steps.size(); ++i)
        usual.push_back(inCalls(i));
    const Ns longer = slow.length - slow.usual;
    const Ns calls = std::clamp<Ns>(inCalls(slow.index) - upperMedian(usual), 0, longer);
    return {"nvtx_outlier_steps.unnamed",
        "No range in it takes much longer: {calls} of it is in calls of {api}, {own} in the thread's own code.",
        {{"calls", Duration{calls}}, {"api", Name{std::string(gpuApiName(context.trace))}},
            {"own", Duration{longer - calls}}}};
}

/// How many steps lie from one slow step to the next, where they come at one distance; else 0.
std::uint64_t rhythmOf(const std::vector<OutlyingStep>& outliers)
{
    std::vector<std::size_t> places;
    for (const OutlyingStep& step : outliers)
        places.push_back(step.index);
    std::ranges::sort(places);
    const std::size_t apart = places.size() > 2 ? places[1] - places[0] : 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (places[i] - places[i - 1] != apart)
            return 0;
    }
    return apart > 1 ? apart : 0;
}

/// The slow steps of `series`, those that take most longer first.
std::vector<OutlyingStep> slowOf(
    const RuleContext& context, const StepSeries& series, const std::vector<GpuSteps>& onGpus)
{
    GpuSteps ofHost;
    if (onGpus.empty())
        ofHost.host = series;
    // For several GPUs of a thread the first is used, as in the table of steps.
    const GpuSteps& steps = onGpus.empty() ? ofHost : onGpus.front();
    std::vector<OutlyingStep> slow = outlyingSteps(
        steps, {context.threshold(id, factor), static_cast<Ns>(context.threshold(id, minLonger))});
    // Steps that the window cuts on the GPU are unknown.
    std::erase_if(slow, [&](const OutlyingStep& step) {
        const TimeRange range = steps.rangeOf(step.index);
        return step.onGpu && range.clippedTo(context.window) != range;
    });
    std::ranges::stable_sort(slow, std::greater{}, &OutlyingStep::length);
    return slow;
}

/// The slow steps, and the part of the worst one that takes longer.
Message titleOf(const RuleContext& context, const StepSeries& steps,
    const std::vector<OutlyingStep>& outliers, const Growth& growth)
{
    const OutlyingStep& worst = outliers.front();
    const Name name{toUtf8(context.trace.name(steps.events[worst.index]))};
    const Count whole{wholeSteadySteps(steps, cutSteps(context.trace, steps))};
    const Name grows{growth.name.empty() ? "no" : "yes"};
    const Name grown{toUtf8(growth.name)};
    if (outliers.size() == 1)
        return {"nvtx_outlier_steps.title",
            "{step} takes {time} on the {gpu, select, yes {GPU} other {host}}, the median of {steps} {unit, select, frame "
            "{{steps, plural, one {frame} other {frames}}} other {{steps, plural, one {step} other {steps}}}} "
            "{usual}{grows, select, yes {: {name} {longer} longer} other {}}",
            {{"step", name}, {"time", Duration{worst.length}}, {"gpu", yesOrNo(worst.onGpu)},
                {"steps", whole}, {"unit", unitOf(steps)},
                {"usual", Duration{worst.onGpu ? worst.usual : steps.median}}, {"grows", grows},
                {"name", grown}, {"longer", Duration{growth.longer}}}};
    return {"nvtx_outlier_steps.several_title",
        "{slow} of {steps} {unit, select, frame {{steps, plural, one {frame} other {frames}}} other {{steps, plural, one "
        "{step} other {steps}}}} are far slower than the rest{apart, plural, =0 {} other {, one every # {unit, select, frame "
        "{frames} other {steps}}}}, above all {step}{grows, select, yes {: {name} {longer} longer} other {}}",
        {{"slow", Count{outliers.size()}}, {"steps", whole}, {"unit", unitOf(steps)}, {"step", name},
            {"apart", Count{rhythmOf(outliers)}}, {"grows", grows}, {"name", grown},
            {"longer", Duration{growth.longer}}}};
}

void findOutliers(const RuleContext& context, const StepSeries& steps, const std::vector<GpuSteps>& onGpus,
    std::vector<Finding>& findings)
{
    const std::vector<OutlyingStep> outliers = slowOf(context, steps, onGpus);
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
    if (outliers.empty() || !context.reachesShare(id, minExcess, excess, steps.span().duration()))
        return;
    Finding finding = findingOn(context, processOf(steps.thread), -1, felt);
    if (!steps.isFrames) // no GPU work is known of them, which a replay needs
        finding.cure.edits.push_back(editOfAll(CureKind::EvenSteps));
    const Growth growth
        = outliers.front().onGpu ? Growth{} : growthOf(context, steps, outliers.front().index);
    finding.title = titleOf(context, steps, outliers, growth);
    finding.heldUp = growth.waits;
    finding.message = Message("nvtx_outlier_steps.median",
        "The median steady {unit, select, frame {frame} other {step}} ({pattern}) takes {usual} on the host.",
        {{"unit", unitOf(steps)}, {"pattern", Name{steps.pattern}}, {"usual", Duration{steps.median}}});
    finding.message += Message("nvtx_outlier_steps.excess",
        "{slow, plural, one {The slow {unit, select, frame {frame} other {step}} takes {excess} longer} other {The slow "
        "{unit, select, frame {frames} other {steps}} take up to {longest}, {excess} longer in all}}.",
        {{"slow", Count{outliers.size()}}, {"unit", unitOf(steps)},
            {"longest", Duration{outliers.front().length}}, {"excess", Duration{excess}}});
    if (felt * 10 < excess * 9)
        finding.message += Message("nvtx_outlier_steps.queued",
            "The GPU takes only {felt} longer: queued work covers the rest.", {{"felt", Duration{felt}}});
    finding.message += growth.copies;
    if (growth.name.empty() && growth.copies.empty() && !outliers.front().onGpu)
        finding.message += unnamedText(context, steps, outliers.front());
    if (growth.waits)
        finding.message += Message("nvtx_outlier_steps.waits",
            "{call} takes longer: this process waits for another one.", {{"call", Name{growth.name}}});
    if (waitsForGraphics(growth.name))
        finding.message += Message("nvtx_outlier_steps.graphics",
            "{call} waits for the GPU. Look for more to draw in this frame, or for other work on the GPU.",
            {{"call", Name{growth.name}}});
    finding.subject.kind = Subject::Kind::Steps;
    for (const EventRef& step : ranges)
        finding.subject.name
            += (finding.subject.name.empty() ? "" : " ") + std::string(context.trace.name(step));
    Intervals time;
    for (const EventRef& step : ranges)
        time.push_back(context.trace.range(step));
    time = unionOf(std::move(time), context.window, context.stop);
    // Steps whose loading takes the usual time are slow for another reason: they do not claim the loading.
    if (!isDataLoading(growth.name))
        time = difference(
            time, context.facts.host(steps.thread).within(IdleCause::DataLoading, context.window));
    finding.claims = time;
    setEvidence(finding, context.trace, ranges, [&](EventRef range) {
        const OutlyingStep& step = byRange.at(range.index);
        return Message("nvtx_outlier_steps.step",
            "{factor} times the median {unit, select, frame {frame} other {step}} of its kind{gpu, select, yes { on the GPU} other {}}",
            {{"unit", unitOf(steps)},
                {"factor",
                    Number{
                        static_cast<double>(step.length) / static_cast<double>(std::max<Ns>(1, step.usual)),
                        1}},
                {"gpu", yesOrNo(step.onGpu)}});
    });
    findings.push_back(std::move(finding));
}

/// gpuStepsOf() for `steps`: those that all share, where no other thread and no end of the window matters.
std::vector<GpuSteps> stepsOnGpus(const RuleContext& context, const StepSeries& steps)
{
    const Trace& trace = context.trace;
    std::vector<GpuSteps> known;
    if (context.window == trace.session && !partOf(trace.info)) {
        const auto all = keptGpuSteps(trace, context.window, context.facts.stepGlob(), context.stop);
        std::ranges::copy_if(*all, std::back_inserter(known), [&](const GpuSteps& each) {
            return each.isAlone && each.foundBy == StepSource::Nvtx && each.host.thread == steps.thread;
        });
    }
    return known.empty() ? gpuStepsOf(trace, {{steps, StepSource::Nvtx}}, context.stop) : known;
}

std::vector<Finding> findSlowSteps(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [pid, steps] : context.facts.allSteps()) {
        const auto onGpus = stepsOnGpus(context, steps);
        findWarmUp(context, steps, onGpus, findings);
        findOutliers(context, steps, onGpus, findings);
    }
    return findings;
}

} // namespace

extern constinit const Rule nvtxOutlierSteps{
    .id = id,
    .title = "Outlier steps",
    .why
    = "A step that takes far longer than the others costs time that no kernel needs, and distorts averages.",
    .remedy = "Compare a slow step with the one next to it. Look for input that ran out, allocation, garbage "
              "collection, logging, evaluation, checkpoints, and other processes on the machine.",
    .caveat = "A step may have more to do: an evaluation, a checkpoint, a longer input.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Nvtx>,
    .check = findSlowSteps,
};

} // namespace warpline::step_outliers
