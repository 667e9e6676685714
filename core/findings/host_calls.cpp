#include "core/findings/host_calls.h"

#include "core/base/stop.h"
#include "core/coverage/interval_times.h"
#include "core/findings/host_delays.h"
#include "core/store/part_of_recording.h"
#include "core/store/recorder.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_set>

namespace warpline {

std::vector<GlobalId> callingThreads(const Trace& trace)
{
    std::vector<GlobalId> threads;
    std::unordered_set<GlobalId> seen;
    for (const Track& track : trace.apiCalls().tracks) {
        if (seen.insert(track.owner).second)
            threads.push_back(track.owner);
    }
    return threads;
}

Intervals ofCallingThreads(const Trace& trace, EventKind kind, TimeRange window, const std::stop_token& stop)
{
    std::unordered_set<GlobalId> threads;
    std::unordered_set<GlobalId> processes;
    for (const GlobalId thread : callingThreads(trace)) {
        threads.insert(thread);
        processes.insert(processOf(thread));
    }
    const EventTable& table = trace.table(kind);
    const bool ofRecorder = kind == EventKind::Overhead;
    // In a cut report a process may have no calls, so that its threads cannot be distinguished.
    const auto part = partOf(trace.info);
    const bool isPart = part && !part->gpuWork.empty();
    const auto calls = [&](GlobalId thread) {
        return threads.contains(thread) || (isPart && ofRecorder && !processes.contains(processOf(thread)));
    };
    std::vector<TimeRange> ranges;
    for (const Track& track : table.tracks) {
        if (!calls(track.owner))
            continue;
        // The recorder's own events may lie inside events that it only observed.
        const std::span<const Lane> lanes = table.lanesOf(track);
        for (const Lane& lane :
            lanes.first(ofRecorder ? lanes.size() : std::min<std::size_t>(1, lanes.size()))) {
            const auto [first, last] = table.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                if (!ofRecorder || isProfilersOwn(trace.text(table.name[i])))
                    ranges.push_back(table.range(i));
            }
        }
    }
    return unionOf(std::move(ranges), window, stop);
}

Ns timeInCalls(const Trace& trace, const std::vector<EventRef>& work)
{
    std::unordered_set<EventIndex> calls;
    Ns total = 0;
    for (const EventRef& each : work) {
        const EventRef call = trace.apiCallOf(each);
        if (call.valid() && calls.insert(call.index).second)
            total += trace.range(call).duration();
    }
    return total;
}

bool isInSteadyStep(const StepSeries& steps, Ns time)
{
    const std::size_t step = steps.at(time);
    return step < steps.size() && step >= steps.firstSteady && steps.ranges[step].contains(time);
}

StepHits hitsInSteadySteps(const StepSeries& steps, const std::vector<Ns>& times)
{
    StepHits found;
    std::vector<bool> hit(steps.size());
    for (const Ns time : times) {
        if (!isInSteadyStep(steps, time))
            continue;
        const std::size_t step = steps.at(time);
        ++found.hits;
        if (!hit[step])
            ++found.steps;
        hit[step] = true;
    }
    return found;
}

Intervals besideKernels(const RuleContext& context, const std::vector<EventRef>& copies)
{
    std::map<GlobalId, std::vector<TimeRange>> byProcess;
    for (const EventRef& copy : stoppableItems(copies, context.stop)) {
        std::vector<TimeRange>& ranges = byProcess[context.trace.track(context.trace.trackOf(copy)).owner];
        const TimeRange own = context.trace.range(copy);
        ranges.push_back(own);
        if (const EventRef call = context.trace.apiCallOf(copy); call.valid())
            ranges.push_back(
                context.trace.range(call).clippedTo({own.start - callMargin, own.end + callMargin}));
    }
    std::vector<TimeRange> all;
    for (auto& [process, ranges] : byProcess) {
        Intervals time = unionOf(std::move(ranges), context.window, context.stop);
        Ns begun = context.window.end;
        for (const GpuFacts* const gpu : context.facts.gpusOf(process)) {
            time = difference(time, gpu->compute);
            begun = std::min(begun, gpu->span().start);
        }
        // The first call may create the context: time before all GPU work does not belong to copies.
        time = clipped(time, {begun, context.window.end});
        all.insert(all.end(), time.begin(), time.end());
    }
    return unionOf(std::move(all), context.window, context.stop);
}

Intervals idleBecauseOfCopies(const RuleContext& context, const std::vector<EventRef>& copies)
{
    const Trace& trace = context.trace;
    TraceAnalysis& facts = context.facts;
    std::map<GlobalId, std::vector<HostDelay>> delays; // by process
    std::map<GlobalId, std::vector<std::uint32_t>> gone;
    std::vector<EventIndex> calls; // that go
    for (const EventRef& copy : stoppableItems(copies, context.stop)) {
        const EventRef call = trace.apiCallOf(copy);
        if (!call.valid())
            continue;
        const GlobalId process = processOf(facts.threadOf(call.index));
        delays[process].push_back(withCodeAround(trace, call.index));
        gone[process].push_back(Links::pack(copy));
        calls.push_back(call.index);
    }
    std::ranges::sort(calls);
    for (const GlobalId thread : callingThreads(trace)) {
        const auto ofProcess = delays.find(processOf(thread));
        if (ofProcess == delays.end())
            continue;
        bool isCopied = false; // by a call that is removed, and nothing was launched since
        forEachOuterCall(context, thread, context.window, [&](EventIndex call) {
            const CallKind kind = facts.callKinds()[call];
            const bool goes = isCopied && kind != CallKind::DeviceSync; // it waits for the copy
            if (waits(kind))
                ofProcess->second.push_back(goes ? withCodeAround(trace, call, true)
                                                 : HostDelay{trace.apiCalls().range(call), 0, true});
            if (!startsNothing(kind))
                isCopied = kind == CallKind::Copy && std::ranges::binary_search(calls, call);
        });
    }
    std::vector<TimeRange> idle;
    for (auto& [process, ofProcess] : delays) {
        std::ranges::sort(ofProcess, {}, [](const HostDelay& delay) { return delay.call.start; });
        const Intervals goes
            = idleBecauseOf(trace, facts.gpusOf(process), ofProcess, context.stop, std::move(gone[process]));
        idle.insert(idle.end(), goes.begin(), goes.end());
    }
    return unionOf(std::move(idle), context.window, context.stop);
}

/// The time in which threads of `process` release or allocate memory while its GPUs work: such calls wait for
/// the work.
static Intervals releasesThatWait(const RuleContext& context, GlobalId process)
{
    TraceAnalysis& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    std::vector<TimeRange> calls;
    for (const GlobalId thread : facts.callersOf(process)) {
        for (const TimeRange& range : facts.host(thread).within(IdleCause::Allocation, measured))
            calls.push_back(range);
    }
    std::erase_if(calls, [](TimeRange range) { return range.empty(); });
    const Intervals time = unionOf(std::move(calls), measured, context.stop);
    Intervals waits;
    for (const GpuFacts* const gpu : facts.gpusOf(process))
        waits = united(waits, intersection(time, gpu->busy));
    return waits;
}

Ns hostSlack(const RuleContext& context, GlobalId process)
{
    constexpr Ns fullQueue = 100'000; // a launch that takes longer waits for room
    TraceAnalysis& facts = context.facts;
    const TimeRange measured = facts.measuredRange();
    std::vector<TimeRange> waits;
    for (const GlobalId thread : facts.callersOf(process)) {
        for (const IdleCause doing : {IdleCause::HostWait, IdleCause::CopyCall, IdleCause::Launch}) {
            for (const TimeRange& range : facts.host(thread).within(doing, measured)) {
                if (doing != IdleCause::Launch || range.duration() >= fullQueue)
                    waits.push_back(range);
            }
        }
    }
    for (const TimeRange& range : releasesThatWait(context, process))
        waits.push_back(range);
    if (waits.empty())
        return 0;
    if (const StepSeries& steps = facts.steps(process); !steps.empty())
        waits.push_back({steps.span().end, measured.end});
    std::erase_if(waits, [](TimeRange range) { return range.empty(); });
    return totalTime(unionOf(std::move(waits), measured));
}

} // namespace warpline
