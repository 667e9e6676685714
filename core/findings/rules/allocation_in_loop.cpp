// Memory that is allocated and freed again and again once the program runs: in steady steps, or in rounds
// with launches between. Handles that are created and destroyed so. And memory that only grows.

#include "core/base/median.h"
#include "core/base/message_names.h"
#include "core/base/saturate.h"
#include "core/derive/memory_lifetimes.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/host_delays.h"
#include "core/findings/waits.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace warpline::allocation_in_loop {

namespace {

constexpr std::string_view id = "allocation_in_loop";
constexpr Threshold minSteps{"min_steps", "Minimum share of the steady steps that allocate", "%", 50};
constexpr Threshold minRounds{"min_rounds", "Minimum number of rounds where there are no steps", "", 8};
constexpr Threshold minHandles{"min_handles", "Minimum share of the time that handles cost", "%", 1};
constexpr std::array thresholds{minSteps, minRounds, minHandles};
// Calls that allocate are why each launch finds the queue empty.
constexpr std::array<std::string_view, 3> absorbed{"gpu_idle_cause", "launch_bound", "cuda_api_sync"};
constexpr std::size_t minStepCount = 3;

constexpr std::string_view growthId = "memory_growth";
constexpr Threshold minAllocations{"min_allocations", "Minimum number of allocations", "", 10};
constexpr Threshold maxReleased{"max_released", "Maximum freed share of allocations", "%", 10};
constexpr Threshold minGrowth{"min_growth", "Minimum growth (share of the highest use)", "%", 20};
constexpr std::array growthThresholds{minAllocations, maxReleased, minGrowth};

/// What the calls are about.
enum class Loops : std::uint8_t { Memory, Handles };

struct Allocations {
    std::vector<EventRef> calls;
    std::vector<Ns> times;
    std::vector<TimeRange> ranges;
    Ns total = 0;
    Ns pinning = 0; ///< of `time`: pinned host memory
    std::uint64_t rounds = 0; ///< allocations with a launch since the one before
    std::uint64_t after = 0; ///< calls after the last GPU work: they tidy up, once
    Ns afterTime = 0;
    std::uint64_t single = 0; ///< calls outside of loops, see leaveOutSingle()
    Ns singleTime = 0;
};

/// The calls of a thread.
struct Calls {
    std::array<Allocations, 2> loops; ///< by Loops
    std::vector<HostDelay> waits; ///< these stay: the thread loses its lead there
};

Calls collect(const RuleContext& context, GlobalId thread)
{
    TraceAnalysis& facts = context.facts;
    Calls all;
    std::array<bool, 2> launched{}; // since the last of these
    bool begun = false; // allocations before the first launch are not a loop
    Ns done = context.window.start;
    for (const GpuFacts* const gpu : facts.gpusOf(thread))
        done = std::max(done, gpu->span().end);
    const CallKinds& kinds = facts.callKinds();
    forEachOuterCall(context, thread, context.window, [&](EventIndex call) {
        const CallKind kind = kinds[call];
        if (kind == CallKind::Launch) {
            launched.fill(true);
            begun = true;
        }
        const TimeRange range = context.trace.range({EventKind::ApiCall, call});
        if (waits(kind))
            all.waits.push_back({range, 0, true});
        if (!begun || !(allocates(kind) || changesHandles(kind)))
            return;
        const auto what = static_cast<std::size_t>(allocates(kind) ? Loops::Memory : Loops::Handles);
        Allocations& found = all.loops[what];
        if (range.start >= done) {
            ++found.after;
            found.afterTime += range.duration();
            return;
        }
        found.calls.push_back({EventKind::ApiCall, call});
        found.times.push_back(range.start);
        found.ranges.push_back(range);
        found.total += range.duration();
        found.pinning += kind == CallKind::PinHost ? range.duration() : 0;
        found.rounds += std::exchange(launched[what], false) ? 1 : 0;
    });
    return all;
}

/// Keeps only calls in steady steps: allocation during start-up is fine.
void keepSteady(const RuleContext& context, const StepSeries& steps, Allocations& found)
{
    std::vector<EventRef> calls;
    const CallKinds& kinds = context.facts.callKinds();
    found.ranges.clear();
    found.total = 0;
    found.pinning = 0;
    for (const EventRef& call : found.calls) {
        const TimeRange range = context.trace.range(call);
        if (!isInSteadyStep(steps, range.start))
            continue;
        calls.push_back(call);
        found.ranges.push_back(range);
        found.total += range.duration();
        found.pinning += kinds[call.index] == CallKind::PinHost ? range.duration() : 0;
    }
    found.calls = std::move(calls);
}

/// Removes one-time calls: those made less than `fewest` times, and single ones that take a hundred times as
/// long as others of their name, such as a release that waits for all launches.
void leaveOutSingle(const RuleContext& context, double fewest, Allocations& found)
{
    constexpr Ns farLonger = 100; // times the middle one
    std::map<StringId, std::vector<Ns>> lengths;
    const EventTable& calls = context.trace.apiCalls();
    for (const EventRef& call : found.calls)
        lengths[calls.name[call.index]].push_back(calls.duration[call.index]);
    std::map<StringId, Ns> longest; // of those that are of a loop
    for (const auto& [name, each] : lengths)
        longest[name]
            = static_cast<double>(each.size()) < fewest ? -1 : farLonger * std::max<Ns>(middleOf(each), 1);
    const auto isSingle
        = [&](const EventRef& call) { return calls.duration[call.index] > longest[calls.name[call.index]]; };
    for (const EventRef& call : found.calls) {
        if (!isSingle(call))
            continue;
        ++found.single;
        found.singleTime += calls.duration[call.index];
    }
    std::erase_if(found.calls, isSingle);
    found.ranges.clear();
    found.total = 0;
    for (const EventRef& call : found.calls) {
        found.ranges.push_back(context.trace.range(call));
        found.total += found.ranges.back().duration();
    }
}

/// The time that the GPU idles because of the calls; calls during kernels cost nothing. `delays`: waits that
/// stay.
Intervals idleBecauseOf(
    const RuleContext& context, GlobalId thread, const Allocations& found, std::vector<HostDelay> delays)
{
    for (const TimeRange& call : found.ranges)
        delays.push_back({call, call.duration()});
    std::ranges::sort(delays, {}, [](const HostDelay& delay) { return delay.call.start; });
    return lostIdleOf(context.trace, context.facts, thread,
        idleBecauseOf(context.trace, context.facts.gpusOf(thread), delays, context.stop));
}

/// Which steps of a thread have such calls.
struct Hits {
    StepHits steps;
    std::size_t steady = 0; ///< steps in all
    bool perStep = false; ///< else in rounds
};

void describeMemory(const RuleContext& context, const Allocations& found, const Hits& hits, Finding& finding)
{
    const bool pins = found.pinning * 2 > found.total;
    const Name does{pins ? "pins" : "allocates"};
    finding.topic = pins ? "allocation_in_loop.pinned" : id;
    if (pins)
        finding.remedy = Message(
            "allocation_in_loop.pin_once", "Pin host buffers once, before the loop, and reuse them.");
    finding.title = hits.perStep
        ? Message("allocation_in_loop.title",
            "{does, select, pins {Host memory is pinned} other {Memory is allocated or freed}} in {hit} of {steps} steps",
            {{"does", does}, {"hit", Count{hits.steps.steps}}, {"steps", Count{hits.steady}}})
        : Message("allocation_in_loop.rounds_title",
            "{does, select, pins {Host memory is pinned} other {Memory is allocated or freed}} between launches: "
            "{calls, plural, one {# call} other {# calls}} in {rounds, plural, one {# round} other {# rounds}}",
            {{"does", does}, {"calls", Count{found.calls.size()}}, {"rounds", Count{found.rounds}}});
    const auto longest = std::ranges::max_element(found.ranges, {}, &TimeRange::duration);
    finding.message = Message("allocation_in_loop.calls",
        "{calls, plural, one {# call} other {# calls}} to allocate, free or pin memory take {time}, the longest {longest}. "
        "{free} and pinning also wait for the GPU to finish. "
        "{idles, select, yes {The GPU idles for up to {idle} because of them.} other {The GPU has work during them, so they cost it nothing.}}",
        {{"calls", Count{found.calls.size()}}, {"time", Duration{found.total}},
            {"longest", Duration{longest != found.ranges.end() ? longest->duration() : 0}},
            {"free", Name{gpuApiOf(context.trace) == GpuApi::Hip ? "hipFree" : "cudaFree"}},
            {"idles", yesOrNo(finding.saving > 0)}, {"idle", Duration{finding.saving}}});
    finding.cure.edits.push_back(editOf(CureKind::PoolAllocations, found.calls));
}

void describeHandles(const RuleContext& context, const Allocations& found, const Hits& hits, Finding& finding)
{
    const EventTable& calls = context.trace.apiCalls();
    std::map<StringId, Ns> times;
    for (const EventRef& call : found.calls)
        times[calls.name[call.index]] += calls.duration[call.index];
    const auto most = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
    const Name call{std::string(bareCallName(context.trace.text(most->first)))};
    finding.subject = {Subject::Kind::Part, "handles"};
    finding.topic = "allocation_in_loop.handles";
    finding.title = hits.perStep
        ? Message("allocation_in_loop.handles_title",
            "Streams or other handles are created or destroyed in {hit} of {steps} steps, mostly {call}",
            {{"hit", Count{hits.steps.steps}}, {"steps", Count{hits.steady}}, {"call", call}})
        : Message("allocation_in_loop.handles_rounds",
            "Streams or other handles are created or destroyed between launches, mostly {call}",
            {{"call", call}});
    finding.message = Message("allocation_in_loop.handles_time",
        "{calls, plural, one {# call} other {# calls}} for streams, events, graphs or textures take {time}. The GPU idles for up to {idle} because of them.",
        {{"calls", Count{found.calls.size()}}, {"time", Duration{found.total}},
            {"idle", Duration{finding.saving}}});
    finding.why = Message("allocation_in_loop.handles_why",
        "Each of these calls enters the driver for microseconds. In a loop, the GPU runs out of work.");
    finding.remedy = Message("allocation_in_loop.handles_once",
        "Create streams, events, graphs and textures once, before the loop, and reuse them.");
    finding.caveat = Message("allocation_in_loop.handles_caveat", "A library may create them on its own.");
    finding.cure.edits.push_back(editOf(CureKind::RemoveCalls, found.calls));
}

void findLoops(const RuleContext& context, GlobalId thread, Loops what, Allocations found,
    const std::vector<HostDelay>& waits, std::vector<Finding>& findings)
{
    const StepSeries& steps = context.facts.steps(thread);
    Hits hits{hitsInSteadySteps(steps, found.times), steps.steady()};
    hits.perStep = hits.steps.steps >= minStepCount
        && context.reachesShare(id, minSteps, hits.steps.steps, hits.steady);
    if (!hits.perStep && !(steps.empty() && context.reaches(id, minRounds, found.rounds)))
        return;
    if (hits.perStep)
        keepSteady(context, steps, found);
    else
        leaveOutSingle(context, context.threshold(id, minRounds), found);
    if (found.calls.empty())
        return;
    Finding finding = findingOn(context, processOf(thread), -1, idleBecauseOf(context, thread, found, waits));
    if (what == Loops::Handles
        && !context.reachesShare(id, minHandles, finding.saving, context.facts.measured()))
        return;
    (what == Loops::Memory ? describeMemory : describeHandles)(context, found, hits, finding);
    if (found.after > 0)
        finding.message += Message("allocation_in_loop.after",
            "{calls, plural, one {# call} other {# calls}} after the last work of the GPU, {time} in all, do not count: "
            "cleaning up is a one-time cost.",
            {{"calls", Count{found.after}}, {"time", Duration{found.afterTime}}});
    if (found.single > 0)
        finding.message += Message("allocation_in_loop.single",
            "{calls, plural, one {# call} other {# calls}} of {time} in total are not counted: they are one-time costs.",
            {{"calls", Count{found.single}}, {"time", Duration{found.singleTime}}});
    finding.once = found.afterTime + found.singleTime;
    sortLongestFirst(context.trace, found.calls);
    setEvidence(finding, context.trace, found.calls);
    findings.push_back(std::move(finding));
}

std::vector<Finding> findAllocations(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const GlobalId thread : callingThreads(context.trace)) {
        Calls calls = collect(context, thread);
        for (const Loops what : {Loops::Memory, Loops::Handles})
            findLoops(context, thread, what, std::move(calls.loops[static_cast<std::size_t>(what)]),
                calls.waits, findings);
    }
    return findings;
}

/// Memory that hardly grows any more in the last third, by this part of all growth, has found its size.
constexpr std::int64_t lateShare = 10;

struct Growth {
    std::uint64_t allocations = 0;
    std::uint64_t releases = 0; ///< that were recorded
    std::uint64_t reused = 0; ///< releases that were not: their address was allocated again
    std::int64_t bytes = 0;
    std::int64_t highest = 0; ///< saturating, because files may hold any value
    std::int64_t late = 0; ///< of `bytes`, in the last third
    std::vector<EventRef> events;
};

/// Allocations and releases of device memory in the later two thirds of the window, when start-up is over.
std::map<std::pair<GlobalId, std::int32_t>, Growth> growthByDevice(const RuleContext& context)
{
    const GpuMemoryTable& memory = context.trace.gpuMemory();
    const TimeRange work = [&] {
        TimeRange all;
        for (const GpuFacts& gpu : context.facts.gpus())
            all = all.empty() ? gpu.span() : all.unitedWith(gpu.span());
        return all;
    }();
    const Ns from = work.start + work.duration() / 3;
    const Ns late = work.start + work.duration() / 3 * 2;
    std::map<std::pair<GlobalId, std::int32_t>, Growth> devices;
    const auto add = [&](EventIndex i, bool allocates, Ns time, std::uint64_t Growth::*count) {
        const GpuMemoryOperation& operation = memory.operation(i);
        if (operation.memory == MemoryKind::Pinned || operation.memory == MemoryKind::Pageable
            || !context.window.contains(time))
            return;
        Growth& growth = devices[{processOf(memory.trackOf(i).owner), operation.device}];
        const auto bytes = static_cast<std::int64_t>(
            std::min<std::uint64_t>(memory.bytes[i], std::numeric_limits<std::int64_t>::max()));
        growth.highest = saturatingAdd(growth.highest,
            allocates ? bytes : 0); // an upper bound: as if nothing had been released
        if (time < from)
            return;
        growth.*count += 1;
        growth.bytes = saturatingAdd(growth.bytes, allocates ? bytes : -bytes);
        if (time >= late)
            growth.late = saturatingAdd(growth.late, allocates ? bytes : -bytes);
        if (allocates)
            growth.events.push_back({EventKind::GpuMemory, i});
    };
    for (const EventIndex i : everyEvent(memory, context.stop)) {
        const bool allocates = memory.operation(i).allocates;
        add(i, allocates, memory.start[i], allocates ? &Growth::allocations : &Growth::releases);
    }
    for (const MemoryLifetime& lifetime : memoryLifetimes(context.trace, context.stop)) {
        if (lifetime.release == noIndex && lifetime.held.end < context.trace.session.end)
            add(lifetime.allocation, false, lifetime.held.end, &Growth::reused);
    }
    return devices;
}

/// Whether the program `process` has steps and allocates in few of them: steady steps then need no
/// allocation, and the rest is set-up before and between.
bool isRareInSteps(const RuleContext& context, GlobalId process, const Growth& growth)
{
    std::vector<Ns> times;
    for (const EventRef& event : growth.events)
        times.push_back(context.trace.range(event).start);
    bool hasSteps = false;
    for (const GlobalId thread : callingThreads(context.trace)) {
        const StepSeries& steps = context.facts.steps(thread);
        if (processOf(thread) != process || steps.steady() < minStepCount)
            continue;
        hasSteps = true;
        if (hitsInSteadySteps(steps, times).steps * 2 >= steps.steady())
            return false;
    }
    return hasSteps;
}

std::vector<Finding> findGrowth(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (auto& [key, growth] : growthByDevice(context)) {
        if (!context.reaches(growthId, minAllocations, growth.allocations)
            || static_cast<double>(growth.releases + growth.reused) * 100
                > context.threshold(growthId, maxReleased) * static_cast<double>(growth.allocations)
            || !context.reachesShare(growthId, minGrowth, growth.bytes, growth.highest)
            || growth.late < growth.bytes / lateShare || isRareInSteps(context, key.first, growth))
            continue;
        // No time is lost until memory runs out.
        Finding finding = findingWith(Severity::Medium, Confidence::Possible, key.first, key.second);
        const Bytes grown{static_cast<std::uint64_t>(growth.bytes)};
        finding.title = Message("memory_growth.title", "{gpu}: memory grows by {bytes} and is not released",
            {{"gpu", Name{gpuName(context.trace, key.first, key.second)}}, {"bytes", grown}});
        finding.message = Message("memory_growth.sums",
            "In the last two thirds of the GPU's work, {allocations, plural, one {# allocation} other {# allocations}} take "
            "{bytes} more than {releases, plural, one {# release} other {# releases}} return.",
            {{"allocations", Count{growth.allocations}}, {"bytes", grown},
                {"releases", Count{growth.releases}}});
        std::ranges::stable_sort(growth.events, std::greater{},
            [&](EventRef event) { return context.trace.gpuMemory().bytes[event.index]; });
        setSizedEvidence(finding, context.trace, growth.events, "memory_growth.bytes", "{bytes}");
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule allocationInLoop{
    .id = id,
    .title = "Memory or handles created in the loop",
    .why = "cudaMalloc takes tens of microseconds and cudaFree waits until the GPU is idle: in a loop they "
           "serialize host and GPU in every round.",
    .remedy = "Allocate before the loop and reuse, or take memory from a stream-ordered pool "
              "(cudaMallocAsync, cudaMemPoolSetAttribute with a release threshold). Pin host buffers once.",
    .caveat = "Allocations behind a library's own pool may never come back in a longer run.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::ApiCall, EventKind::Kernel>,
    .check = findAllocations,
    .absorbs = absorbed,
};

extern constinit const Rule memoryGrowth{
    .id = growthId,
    .title = "GPU memory grows without release",
    .why
    = "Memory that each step allocates and none frees ends in an out-of-memory error. Before that, the allocator has to search and flush.",
    .remedy = "Look for arrays kept across steps, caches without a bound, and growing shapes.",
    .caveat = "A cache that fills up looks like growth until it is full.",
    .thresholds = growthThresholds,
    .applies = hasEvents<EventKind::GpuMemory>,
    .check = findGrowth,
};

} // namespace warpline::allocation_in_loop
