// GPU code that is loaded or compiled: once, which belongs before the measured part, or in every step, where
// a library compiles something again each time (such as kernels specialized for each shape). Compilation is
// the host's silent time before the loading call, so that time counts.

#include "core/analysis/first_launches.h"
#include "core/base/message_names.h"
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
constexpr Threshold minSilence{"min_silence_ns",
    "Minimum gap without API calls before a loading call that counts as compiling", "ns", 200'000};
constexpr std::array loopThresholds{minSteps, minSilence};
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
        "{probably compiling, in the gap without API calls before code is loaded} launches {first launches of kernels} "
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

struct Loads {
    std::vector<Ns> times;
    std::vector<TimeRange> calls; ///< without the silent time before them
    std::vector<TimeRange> stretches; ///< from the silence before a load to its end
};

/// The end of the last call of `lane` before `load`, except calls that start compilers; the start of `load`
/// where there is none.
Ns silentSince(const Trace& trace, const Lane& lane, EventIndex load)
{
    const EventTable& calls = trace.apiCalls();
    for (EventIndex i = load; i > lane.first; --i) {
        if (!startsCompiler(trace.text(calls.name[i - 1])))
            return calls.end(i - 1);
    }
    return calls.start[load];
}

/// Calls of `thread` that load code, with the silence of the thread's CUDA calls before them.
Loads collectLoads(const RuleContext& context, GlobalId thread)
{
    const CallKinds& kinds = context.facts.callKinds();
    const EventTable& calls = context.trace.apiCalls();
    const Ns silence = static_cast<Ns>(context.threshold(loopId, minSilence));
    Loads loads;
    for (const Track& track : calls.tracks) {
        if (track.owner != thread)
            continue;
        for (const Lane& lane : calls.lanesOf(track)) {
            const auto [first, last] = calls.touching(lane, context.window);
            for (const EventIndex i : stoppable(first, last, context.stop)) {
                if (kinds[i] != CallKind::LoadModule)
                    continue;
                const bool outermost = lane.first == calls.lanes[track.firstLane].first;
                const Ns before = outermost ? silentSince(context.trace, lane, i) : calls.start[i];
                const Ns from = calls.start[i] - before >= silence ? before : calls.start[i];
                loads.times.push_back(calls.start[i]);
                loads.calls.push_back(calls.range(i));
                loads.stretches.push_back({from, calls.end(i)});
            }
        }
    }
    return loads;
}

/// In programs without steps, the silence before code is loaded once a GPU has begun: compilation, most
/// likely.
void addCompiling(const RuleContext& context, OneTime& found)
{
    TraceAnalysis& facts = context.facts;
    for (const GlobalId thread : callingThreads(context.trace)) {
        if (!facts.steps(thread).empty())
            continue;
        const Loads loads = collectLoads(context, thread);
        for (std::size_t i = 0; i < loads.times.size(); ++i) {
            const TimeRange silence
                = TimeRange{loads.stretches[i].start, loads.times[i]}.clippedTo(context.window);
            const std::vector<const GpuFacts*> gpus = gpusOf(facts, thread);
            if (silence.empty() || gpus.empty() || silence.start < gpus.front()->span().start)
                continue;
            found.ranges.push_back(silence);
            found.evidence.push_back({silence, {},
                Message("one_time_costs.compiling_gap", "probably compiling, before code is loaded")});
            OneTime::Sum& sum = found.kinds[compiling];
            sum.time += silence.duration();
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
    addCompiling(context, found);
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
    Finding finding;
    finding.claims = idleIn(context, ranges);
    finding.saving = totalTime(finding.claims);
    finding.severity = std::min(Severity::Low, severityOf(context, finding.saving));
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
            {"kind",
                isGuess ? Message("one_time_costs.probably_compiling", "probably compiling")
                        : kindText(kinds.front().second)}});
    const TimeRange session = context.trace.session;
    const bool isWhole = context.window.start <= session.start && context.window.end >= session.end;
    finding.message = Message("one_time_costs.kinds",
        "{whole, select, yes {In the whole recording} other {In the range}}: {list}.",
        {{"whole", yesOrNo(isWhole)}, {"list", std::move(list)}});
    if ((sum - total) * 100 > total)
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
    for (const Track& track : calls.tracks) {
        if (track.owner != thread)
            continue;
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
    const Intervals stretches = unionOf(loads.stretches, steady.clippedTo(context.window));
    Finding finding;
    finding.process = processOf(steps.thread);
    finding.claims = idleIn(context, stretches);
    finding.saving = totalTime(finding.claims);
    finding.severity = std::max(Severity::Low, severityOf(context, finding.saving));
    const Ns all = totalTime(stretches);
    const Ns inCalls = totalTime(unionOf(loads.calls, steady.clippedTo(context.window)));
    const bool mostBefore = inCalls * 2 < all;
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
    finding.message += Message("code_loaded_in_loop.gaps",
        "Before them are gaps without API calls, in which the host probably compiles: {all} in total, {each} per step.",
        {{"all", Duration{all}}, {"each", Duration{all / static_cast<Ns>(hits.steps)}}});
    finding.message += Message("code_loaded_in_loop.idle", "The GPU is idle for {time} of that.",
        {{"time", Duration{finding.saving}}});
    finding.message += kernelsAfter(context.trace, steps.thread, stretches);
    if (finding.claims.empty())
        finding.claims = stretches;
    setStretches(finding, stretches, [](TimeRange range) {
        return Message("code_loaded_in_loop.stretch", "compiles or loads for {time}",
            {{"time", Duration{range.duration()}}});
    });
    findings.push_back(std::move(finding));
}

std::vector<Finding> findLoadsInLoop(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [pid, steps] : context.facts.allSteps())
        reportLoop(context, steps, findings);
    return findings;
}

bool hasCalls(const Trace& trace, const std::stop_token&)
{
    return !trace.apiCalls().empty();
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
    .applies = hasCalls,
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
    .applies = [](const Trace& trace,
                   const std::stop_token&) { return !trace.apiCalls().empty() && !trace.nvtx().empty(); },
    .check = findLoadsInLoop,
    .absorbs = loopAbsorbs,
};

} // namespace warpline::code_loading
