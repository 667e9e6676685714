// CPU contention: threads of a process that only run in turns, as under Python's global lock; a launching
// thread that is taken off the CPU without waiting; and launching threads that wait for locks.

#include "core/base/message_names.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/derive/tracks_of.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/store/event_loops.h"
#include "core/store/place_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline::cpu_contention {

namespace {

constexpr std::string_view id = "cpu_contention";
constexpr Threshold minOffCpu{"min_off_cpu", "Minimum share of the time off the CPU without a wait", "%", 5};
constexpr Threshold minRunning{"min_running", "Threads take turns when each runs for this share", "%", 15};
constexpr Threshold maxTogether{"max_together", "... and at the same time for less than this share", "%", 10};
constexpr Threshold minLock{"min_lock", "Minimum share of the time in locks", "%", 3};
constexpr std::array thresholds{minOffCpu, minRunning, maxTogether, minLock};

std::string_view runningName()
{
    return "Running";
}

/// When each thread of `process` ran, by thread, inside `window`.
std::map<GlobalId, Intervals> runningTimes(
    const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const EventTable& states = trace.table(EventKind::ThreadState);
    std::map<GlobalId, Intervals> running;
    for (const Track& track : states.tracks) {
        if (pidOf(track.owner) != pidOf(process))
            continue;
        std::vector<TimeRange> ranges;
        for (const EventIndex i : eventsIn(states, track, window, stop)) {
            if (trace.text(states.name[i]) == runningName())
                ranges.push_back(states.range(i));
        }
        if (Intervals times = unionOf(std::move(ranges), window, stop); !times.empty())
            running[track.owner] = std::move(times);
    }
    return running;
}

/// The thread that launched most of `gpu`'s work; 0: unknown.
GlobalId launcherOf(TraceAnalysis& facts, const GpuFacts& gpu)
{
    std::map<GlobalId, std::size_t> launches;
    const std::size_t stride = std::max<std::size_t>(1, gpu.work.size() / 1000); // a sample is enough
    for (std::size_t i = 0; i < gpu.work.size(); i += stride) {
        const EventIndex call = facts.callOf(gpu.work[i]);
        if (call != noIndex)
            ++launches[facts.threadOf(call)];
    }
    const auto most = std::ranges::max_element(launches, {}, [](const auto& entry) { return entry.second; });
    return most != launches.end() ? most->first : 0;
}

TimeRange steadyWindow(TraceAnalysis& facts, const GpuFacts& gpu)
{
    const StepSeries& steps = facts.steps(gpu.process);
    return steps.empty() ? gpu.span() : TimeRange{steps.ranges[steps.firstSteady].start, steps.span().end};
}

double percent(Ns part, TimeRange whole)
{
    return 100 * static_cast<double>(part) / static_cast<double>(std::max<Ns>(1, whole.duration()));
}

/// Time in which the launching thread did not run although no call that it was in explains it.
void findOffCpu(const RuleContext& context, const GpuFacts& gpu, GlobalId thread,
    const std::map<GlobalId, Intervals>& running, TimeRange window, std::vector<Finding>& findings)
{
    const auto own = running.find(thread);
    if (own == running.end() || context.trace.table(EventKind::OsRuntime).empty())
        return; // without OS runtime calls, a wait looks like losing the CPU
    const HostTimeline& host = context.facts.host(thread);
    Intervals off = gaps(own->second, window);
    for (const IdleCause doing : {IdleCause::OsCall, IdleCause::HostWait, IdleCause::DataLoading,
             IdleCause::CopyCall, IdleCause::Allocation, IdleCause::CodeLoading, IdleCause::Launch,
             IdleCause::OtherCall, IdleCause::OtherRanks})
        off = difference(off, host.within(doing, window));
    const Ns total = totalTime(off);
    const Ns idle = totalTime(difference(off, gpu.busy));
    if (percent(total, window) < context.threshold(id, minOffCpu))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, idle);
    finding.confidence = Confidence::Possible;
    finding.subject = {Subject::Kind::Part, "starved"};
    finding.title = Message(
        "cpu_contention.title", "Launching thread is starved of CPU for {time}", {{"time", Duration{total}}});
    finding.message = Message("cpu_contention.off",
        "{thread} does not run for {share} of the time ({time}) although it is in no call that waits; the GPU is idle "
        "for {idle} of that.",
        {{"thread", threadLabel(context.trace, thread)}, {"share", Share{percent(total, window) / 100}},
            {"time", Duration{total}}, {"idle", Duration{idle}}});
    finding.message += Message("cpu_contention.others",
        "Other threads may have taken its core, or it waits in a call that is not traced.");
    finding.claims = difference(off, gpu.busy);
    setStretches(finding, off, "cpu_contention.stretch", "off the CPU for {time}");
    findings.push_back(std::move(finding));
}

void findTurns(const RuleContext& context, const GpuFacts& gpu, GlobalId launcher,
    const std::map<GlobalId, Intervals>& running, TimeRange window, std::vector<Finding>& findings)
{
    const auto own = running.find(launcher);
    if (own == running.end())
        return;
    const Intervals mine = clipped(own->second, window);
    for (const auto& [thread, times] : running) {
        if (thread == launcher)
            continue;
        const Intervals theirs = clipped(times, window);
        const Ns less = std::min(totalTime(mine), totalTime(theirs));
        const Ns together = commonTime(mine, theirs);
        if (percent(less, window) < context.threshold(id, minRunning)
            || context.reachesShare(id, maxTogether, together, less))
            continue;
        Finding finding = findingOn(context, gpu.process, gpu.device, difference(theirs, gpu.busy));
        // Threads also take turns when one prepares the other's input.
        finding.severity = std::min(Severity::Low, finding.severity);
        finding.confidence = Confidence::Possible;
        finding.subject = {Subject::Kind::Part, "turns",
            std::to_string(std::distance(running.begin(), running.find(thread)))};
        finding.title
            = Message("cpu_contention.turns_title", "{thread} and the launching thread only run in turns",
                {{"thread", threadLabel(context.trace, thread)}});
        finding.message = Message("cpu_contention.turns",
            "They run for {theirs} and {own}, but {never, select, yes {never} other {only for {together}}} at the same "
            "time: one holds what the other needs{python, select, yes {, as Python's global lock does} other {}}.",
            {{"theirs", Duration{totalTime(theirs)}}, {"own", Duration{totalTime(mine)}},
                {"never", Name{together > 0 ? "no" : "yes"}}, {"together", Duration{together}},
                {"python", yesOrNo(context.facts.program().python)}});
        setStretches(finding, theirs, "cpu_contention.turn", "the other thread runs for {time}");
        finding.where = window;
        findings.push_back(std::move(finding));
    }
}

void findLocks(const RuleContext& context, const GpuFacts& gpu, GlobalId thread, TimeRange window,
    std::vector<Finding>& findings)
{
    const EventTable& calls = context.trace.table(EventKind::OsRuntime);
    std::vector<EventRef> locks;
    std::vector<TimeRange> ranges;
    for (const Track& track : TracksOf(context.trace, EventKind::OsRuntime, thread)) {
        for (const EventIndex i : eventsIn(calls, track, window, context.stop)) {
            const std::string_view name = context.trace.text(calls.name[i]);
            if (!name.starts_with("pthread_mutex_") && !name.starts_with("pthread_rwlock_"))
                continue;
            locks.push_back({EventKind::OsRuntime, i});
            ranges.push_back(calls.range(i));
        }
    }
    const Intervals held = unionOf(std::move(ranges), window, context.stop);
    if (held.empty() || percent(totalTime(held), window) < context.threshold(id, minLock))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, difference(held, gpu.busy));
    finding.subject = {Subject::Kind::Part, "locks"};
    finding.title = Message("cpu_contention.locks_title", "The launching thread waits {time} for locks",
        {{"time", Duration{totalTime(held)}}});
    finding.message = Message("cpu_contention.locks",
        "{calls, plural, one {# lock call} other {# lock calls}} of {thread} take {share} of the time; the GPU is idle "
        "for {idle} of that.",
        {{"calls", Count{locks.size()}}, {"thread", threadLabel(context.trace, thread)},
            {"share", Share{percent(totalTime(held), window) / 100}}, {"idle", Duration{finding.saving}}});
    sortLongestFirst(context.trace, locks);
    setEvidence(finding, context.trace, locks);
    findings.push_back(std::move(finding));
}

void findContention(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const GlobalId launcher = launcherOf(facts, gpu);
    const TimeRange window = steadyWindow(facts, gpu);
    if (launcher == 0 || window.empty())
        return;
    const auto running = runningTimes(context.trace, gpu.process, window, context.stop);
    findOffCpu(context, gpu, launcher, running, window, findings);
    findTurns(context, gpu, launcher, running, window, findings);
    findLocks(context, gpu, launcher, window, findings);
}

} // namespace

extern constinit const Rule cpuContention{
    .id = id,
    .title = "Launching thread is starved of CPU",
    .why = "The GPU can only start what the launching thread launches. While that thread waits for a lock "
           "or a core, the GPU goes idle.",
    .remedy = "Give the process enough cores (taskset, --cpus-per-task, OMP_NUM_THREADS), move work to "
              "other processes where threads share a lock, and keep locks short. Record with "
              "--cpuctxsw=process-tree --sample=process-tree to see who runs instead.",
    .caveat = "Without thread states a thread that waits looks like one that works.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            return !trace.table(EventKind::ThreadState).empty() || !trace.table(EventKind::OsRuntime).empty();
        },
    .checkGpu = findContention,
};

} // namespace warpline::cpu_contention
