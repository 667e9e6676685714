// GPU code that is loaded or compiled: once, which belongs before the measured part, or in every step, where
// a library compiles something again each time (such as kernels specialized for each shape).

#include "core/analysis/first_launches.h"
#include "core/analysis/scope.h"
#include "core/base/message_names.h"
#include "core/derive/tracks_of.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/library_loads.h"
#include "core/findings/recording_advice.h"
#include "core/store/event_loops.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::code_loading {

namespace {

constexpr std::string_view onceId = "one_time_costs";
constexpr Threshold minShare{"min_share", "Minimum share of the measured time", "%", 2};
constexpr Threshold minCall{"min_call_ns", "Shorter calls do not count", "ns", 50'000};
constexpr std::array onceThresholds{minShare, minCall};
constexpr std::array<std::string_view, 1> onceAbsorbs{"gpu_idle_cause"};

constexpr std::string_view loopId = "code_loaded_in_loop";
constexpr Threshold minSteps{"min_steps", "Minimum share of the steady steps that load code", "%", 50};
constexpr std::array loopThresholds{minSteps};
constexpr std::array<std::string_view, 4> loopAbsorbs{
    "gpu_idle_cause", "gpu_gaps", "gpu_time_util", "one_time_costs"};
constexpr std::size_t minStepCount = 3;

/// Library calls that set a library up: "cublasCreate", "cudnnCreate", "ncclCommInitRank" ...
bool setsUp(std::string_view call)
{
    for (const std::string_view name : {"cublasCreate", "cublasLtCreate", "cudnnCreate", "cusolverDnCreate",
             "cusparseCreate", "cufftPlan", "cufftMakePlan", "ncclCommInit"}) {
        if (call.starts_with(name))
            return true;
    }
    return false;
}

std::string_view kindOf(CallKind kind)
{
    return kind == CallKind::LoadModule ? "modules" : kind == CallKind::MakeContext ? "contexts" : "pinning";
}

constexpr std::string_view compiling = "compiling";

/// The title of a kind of cost.
Message kindText(std::string_view kind)
{
    return {"one_time_costs.kind",
        "{kind, select, modules {loading modules} contexts {creating contexts} pinning {pinning host memory} compiling "
        "{probably compiling} launches {first launches of kernels} "
        "setup {setting up libraries} other {loading shared libraries}}",
        {{"kind", Name{std::string(kind)}}}};
}

struct OneTime {
    std::vector<Evidence> evidence; ///< calls, and gaps that are no event
    std::vector<TimeRange> ranges;
    struct Sum {
        Ns time = 0;
        std::uint64_t calls = 0;
    };
    std::map<std::string_view, Sum> kinds;
};

/// The time that `thread` compiles in `window`.
Intervals compilingTime(const RuleContext& context, GlobalId thread)
{
    return clipped(context.facts.host(thread).of(HostTimeline::Mark::Compiling), context.window);
}

struct Loads {
    std::vector<Ns> times;
    std::vector<TimeRange> calls;
};

/// Calls of `thread` that load code.
Loads collectLoads(const RuleContext& context, GlobalId thread)
{
    const CallKinds& kinds = context.facts.callKinds();
    const EventTable& calls = context.trace.apiCalls();
    Loads loads;
    for (const Track& track : TracksOf(context.trace, EventKind::ApiCall, thread)) {
        for (const EventIndex i : eventsIn(calls, track, context.window, context.stop)) {
            if (kinds[i] != CallKind::LoadModule)
                continue;
            loads.times.push_back(calls.start[i]);
            loads.calls.push_back(calls.range(i));
        }
    }
    return loads;
}

/// In programs without steps; those with steps may compile in each. From the first GPU work on: what comes
/// before is start-up.
void addCompiling(const RuleContext& context, Ns least, OneTime& found)
{
    const TimeRange life = lifeOfGpus(context.trace);
    for (const GlobalId thread : callingThreads(context.trace)) {
        if (!context.facts.steps(thread).empty())
            continue;
        for (const TimeRange& range : clipped(compilingTime(context, thread), life)) {
            if (range.duration() < least)
                continue;
            found.ranges.push_back(range);
            found.evidence.push_back({range, {}, kindText(compiling)});
            OneTime::Sum& sum = found.kinds[compiling];
            sum.time += range.duration();
            ++sum.calls;
        }
    }
}

/// The first long call of the report, if it is one that can create the context; noIndex: none.
EventIndex firstLongCall(const Trace& trace)
{
    constexpr Ns longCall = 1'000'000;
    const EventTable& calls = trace.apiCalls();
    EventIndex found = noIndex;
    for (const Lane& lane : calls.lanes) {
        for (EventIndex i = lane.first; i < lane.first + lane.count; ++i) {
            if (found != noIndex && calls.start[i] >= calls.start[found])
                break;
            if (calls.duration[i] >= longCall) {
                found = i;
                break;
            }
        }
    }
    return found != noIndex && mayMakeContext(trace.name({EventKind::ApiCall, found})) ? found : noIndex;
}

/// Calls of all depths: lazy loading happens inside a launch call. First launches that take long are that,
/// too.
OneTime collectOneTime(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const CallKinds& kinds = context.facts.callKinds();
    const Ns least = static_cast<Ns>(context.threshold(onceId, minCall));
    OneTime found;
    const auto add = [&](EventRef event, std::string_view kind) {
        if (trace.range(event).duration() >= least) // loads of libraries count, however short: no evidence
            found.evidence.push_back(
                {trace.range(event), event, Message("one_time_costs.once", "one-time cost")});
        found.ranges.push_back(trace.range(event));
        OneTime::Sum& sum = found.kinds[kind];
        sum.time += trace.range(event).clippedTo(context.window).duration();
        ++sum.calls;
    };
    const EventIndex maker = firstLongCall(trace);
    const EventTable& calls = trace.apiCalls();
    const std::vector<EventIndex> loading = firstLaunches(trace, kinds, context.stop);
    for (const EventIndex i : eventsIn(calls, context.window, context.stop)) {
        const CallKind kind = kinds[i];
        const bool isInMaker = maker != noIndex && i != maker && calls.start[i] >= calls.start[maker]
            && calls.end(i) <= calls.end(maker)
            && calls.trackOf(i).owner == calls.trackOf(maker).owner; // reported with it, once
        const bool once = !isInMaker
            && (kind == CallKind::LoadModule || kind == CallKind::MakeContext || kind == CallKind::PinHost);
        if (once && calls.duration[i] >= least)
            add({EventKind::ApiCall, i}, kindOf(i == maker ? CallKind::MakeContext : kind));
        else if (calls.duration[i] >= slowLaunch && std::ranges::binary_search(loading, i))
            add({EventKind::ApiCall, i}, "launches");
    }
    addCompiling(context, least, found);
    for (const EventKind source : {EventKind::Library, EventKind::Nvtx}) {
        const EventTable& table = trace.table(source);
        for (const EventIndex i : everyEvent(table, context.stop)) {
            if (table.duration[i] >= least && context.window.touches(table.start[i], table.end(i))
                && setsUp(trace.text(table.name[i])))
                add({source, i}, "setup");
        }
    }
    for (const EventIndex i : libraryLoads(trace, context.stop)) {
        const EventRef load{EventKind::Overhead, i};
        if (context.window.touches(trace.range(load).start, trace.range(load).end))
            add(load, "shared");
    }
    return found;
}

/// The part of `ranges` in which the GPU that lost most had begun and had nothing to do; elsewhere loading
/// costs nothing.
Intervals idleIn(const RuleContext& context, const Intervals& ranges)
{
    Intervals longest;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        Intervals idle = difference(intersection(ranges, {gpu.span()}), gpu.busy);
        if (totalTime(idle) > totalTime(longest))
            longest = std::move(idle);
    }
    return longest;
}

std::vector<Finding> findOneTime(const RuleContext& context)
{
    OneTime found = collectOneTime(context);
    const Intervals ranges = unionOf(std::move(found.ranges), context.window, context.stop);
    const Ns total = totalTime(ranges);
    if (!context.reachesShare(onceId, minShare, total, context.facts.measured()))
        return {};
    std::vector<std::pair<Ns, std::string_view>> kinds;
    for (const auto& [kind, sum] : found.kinds)
        kinds.emplace_back(sum.time, kind);
    std::ranges::sort(kinds, std::greater{});
    std::vector<Message> list;
    Ns sum = 0;
    for (const auto& [time, kind] : kinds) {
        sum += time;
        list.push_back(Message("one_time_costs.kind_time",
            "{kind} {time} ({calls, plural, one {# time} other {# times}})",
            {{"kind", kindText(kind)}, {"time", Duration{time}}, {"calls", Count{found.kinds[kind].calls}}}));
    }
    Finding finding = findingOn(context, 0, -1, idleIn(context, ranges));
    finding.severity = std::min(Severity::Low, finding.severity);
    finding.lowered = Message("one_time_costs.lowered", "it is a one-time cost, not a cost of every step");
    const bool isGuess = kinds.front().second == compiling;
    finding.confidence = isGuess ? Confidence::Likely : Confidence::Certain;
    if (recorderOf(context.trace.info) != Recorder::NsightSystems)
        finding.remedy
            = Message("one_time_costs.steady_state",
                  "Record steady state only ({option}), run a few warm-up steps first, and read averages without them.",
                  {{"option", Message(recordingAdvice(context.trace).steadySteps)}})
            + Message("one_time_costs.pin_once", "Pin buffers once and reuse them.");
    if (isGuess)
        finding.topic = "one_time_costs.compiling";
    finding.title = Message("one_time_costs.title",
        "One-time costs of {time}{kinds, plural, one {:} other {, most of it}} {kind}",
        {{"time", Duration{total}}, {"kinds", Count{kinds.size()}},
            {"kind", kindText(kinds.front().second)}});
    const TimeRange session = context.trace.session;
    const bool isWhole = context.window.start <= session.start && context.window.end >= session.end;
    finding.message = Message("one_time_costs.kinds",
        "{whole, select, yes {In the whole recording} other {In the range}}: {list}.",
        {{"whole", yesOrNo(isWhole)}, {"list", std::move(list)}});
    if (sum - total > total / 100)
        finding.message += Message("one_time_costs.overlap",
            "{time} of that overlaps with other costs and counts once.", {{"time", Duration{sum - total}}});
    finding.message += finding.saving > 0
        ? Message("one_time_costs.idle", "A GPU that had already started is idle for {time} of it.",
            {{"time", Duration{finding.saving}}})
        : Message("one_time_costs.not_idle", "No GPU that had already started is idle in that time.");
    std::ranges::stable_sort(
        found.evidence, std::greater{}, [](const Evidence& each) { return each.range.duration(); });
    finding.evidenceTotal = found.evidence.size();
    if (!found.evidence.empty())
        finding.where = found.evidence.front().range;
    found.evidence.resize(std::min(found.evidence.size(), maxEvidence));
    finding.evidence = std::move(found.evidence);
    if (finding.claims.empty())
        finding.claims = ranges;
    return only(std::move(finding));
}

/// The first kernel that `thread` launches in a call that ends after `time`: the reason for loading. Not
/// valid(): none soon.
EventRef kernelAfter(const Trace& trace, GlobalId thread, Ns time)
{
    constexpr EventIndex soon = 16; // calls
    const EventTable& calls = trace.apiCalls();
    EventRef first;
    for (const Track& track : TracksOf(trace, EventKind::ApiCall, thread)) {
        for (const Lane& lane : calls.lanesOf(track)) {
            const EventIndex from = calls.firstEndingAfter(lane, time);
            for (EventIndex i = from; i < std::min(from + soon, lane.first + lane.count); ++i) {
                trace.visitWork(i, [&](EventRef work) {
                    if (work.kind == EventKind::Kernel
                        && (!first.valid() || trace.range(work).start < trace.range(first).start))
                        first = work;
                });
            }
        }
    }
    return first;
}

/// The kernel that most often runs next, as a sentence; empty where none is known.
Message kernelsAfter(const Trace& trace, GlobalId thread, const Intervals& stretches)
{
    std::map<std::string_view, std::uint64_t> kernels;
    for (const TimeRange& stretch : stretches) {
        if (const EventRef kernel = kernelAfter(trace, thread, stretch.end - 1); kernel.valid())
            ++kernels[trace.displayName(kernel)];
    }
    if (kernels.empty())
        return {};
    const auto& [name, count]
        = *std::ranges::max_element(kernels, {}, [](const auto& kernel) { return kernel.second; });
    return {"code_loaded_in_loop.next_kernel",
        "The kernel that most often runs next is {kernel} ({times, plural, one {# time} other {# times}}).",
        {{"kernel", Name{std::string(name)}}, {"times", Count{count}}}};
}

void reportLoop(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    Loads loads = collectLoads(context, steps.thread);
    const StepHits hits = hitsInSteadySteps(steps, loads.times);
    if (hits.steps < minStepCount || !context.reachesShare(loopId, minSteps, hits.steps, steps.steady()))
        return;
    const TimeRange steady{steps.ranges[steps.firstSteady].start, steps.span().end};
    std::vector<TimeRange> all = compilingTime(context, steps.thread);
    all.insert(all.end(), loads.calls.begin(), loads.calls.end());
    const Intervals stretches = unionOf(std::move(all), steady.clippedTo(context.window));
    Finding finding = findingOn(context, processOf(steps.thread), -1, idleIn(context, stretches));
    finding.severity = std::max(Severity::Low, finding.severity);
    const Ns time = totalTime(stretches);
    const Ns inCalls = totalTime(unionOf(std::move(loads.calls), steady.clippedTo(context.window)));
    const bool mostBefore = inCalls * 2 < time;
    finding.confidence = mostBefore ? Confidence::Likely : Confidence::Certain;
    finding.title = Message("code_loaded_in_loop.title",
        "GPU code is {compiled, select, probably {loaded, and probably compiled first,} other {loaded}} in {hits} of "
        "{steps, plural, one {# step} other {# steps}}",
        {{"compiled", Name{mostBefore ? "probably" : "no"}}, {"hits", Count{hits.steps}},
            {"steps", Count{steps.steady()}}});
    finding.message = Message("code_loaded_in_loop.calls",
        "{calls, plural, one {# call loads} other {# calls load}} code in the steady steps ({pattern}) and {calls, plural, "
        "one {takes} other {take}} {time}.",
        {{"calls", Count{hits.hits}}, {"pattern", Name{steps.pattern}}, {"time", Duration{inCalls}}});
    if (time > inCalls)
        finding.message += Message("code_loaded_in_loop.gaps",
            "With the time in which the host compiles, or probably does, it is {all} in total, {each} per step.",
            {{"all", Duration{time}}, {"each", Duration{time / static_cast<Ns>(hits.steps)}}});
    finding.message += Message("code_loaded_in_loop.idle", "The GPU is idle for {time} of that.",
        {{"time", Duration{finding.saving}}});
    finding.message += kernelsAfter(context.trace, steps.thread, stretches);
    if (finding.claims.empty())
        finding.claims = stretches;
    setStretches(finding, stretches, "code_loaded_in_loop.stretch", "compiles or loads for {time}");
    findings.push_back(std::move(finding));
}

std::vector<Finding> findLoadsInLoop(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [pid, steps] : context.facts.allSteps())
        reportLoop(context, steps, findings);
    return findings;
}

} // namespace

extern constinit const Rule oneTimeCosts{
    .id = onceId,
    .title = "One-time costs in the range",
    .why
    = "The program loads modules, creates contexts and pins host memory once. In a short recording that looks like "
      "a slow program.",
    .remedy
    = "Record steady state only (nsys profile --capture-range=cudaProfilerApi --capture-range-end=stop, or "
      "--delay), run a few warm-up steps first, and read averages without them. Pin buffers once and reuse them.",
    .caveat = "The recording may not be typical: check another one.",
    .thresholds = onceThresholds,
    .applies = hasEvents<EventKind::ApiCall>,
    .check = findOneTime,
    .absorbs = onceAbsorbs,
};

extern constinit const Rule codeLoadedInLoop{
    .id = loopId,
    .title = "GPU code compiled in every step",
    .why
    = "A new shape or a new kernel variant makes a library compile and load code. That takes tens of milliseconds, "
      "in which the GPU is idle, and the next step may do it again.",
    .remedy
    = "Keep shapes constant so that the library finds compiled code: pad or bucket lengths, and keep caches of one "
      "size. Turn off what specializes for each length. In your own code, load modules before the loop "
      "(CUDA_MODULE_LOADING=EAGER), and compile for this GPU (nvcc -arch) so that the driver does not.",
    .caveat
    = "Compiling is a guess: the host may do something else in the gap before the call. If shapes settle later, "
      "the loading stops: record later steps.",
    .thresholds = loopThresholds,
    .applies = hasEvents<EventKind::ApiCall, EventKind::Nvtx>,
    .check = findLoadsInLoop,
    .absorbs = loopAbsorbs,
};

} // namespace warpline::code_loading
