#include "core/analysis/scope.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/steps/step_judge.h"
#include "core/steps/step_names.h"
#include "core/store/event_loops.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// The end of the last work that was launched before `time`: the GPU may be far behind the host.
Ns doneWith(const Trace& trace, const TraceAnalysis& facts, const GpuFacts& gpu, Ns time)
{
    StopCheck check(facts.stop());
    for (auto work = gpu.work.rbegin(); work != gpu.work.rend(); ++work) {
        check.step();
        const EventIndex call = facts.callOf(*work);
        if (call != noIndex && trace.apiCalls().start[call] < time)
            return std::max(time, trace.range(Links::unpack(*work)).end);
    }
    return time;
}

/// The steady steps of all processes that use a GPU; empty: there are none.
TimeRange steadySteps(const Trace& trace, TraceAnalysis& facts)
{
    TimeRange steady;
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (steps.empty())
            continue;
        // Until its first work starts, the GPU does what was launched before the recording.
        const TimeRange queued = queuedStart(trace, gpu.span());
        const Ns first = steps.ranges[steps.firstSteady].start;
        const Ns start = queued.empty() ? first : std::max(first, queued.end);
        const TimeRange range{start, std::max(start, doneWith(trace, facts, gpu, steps.span().end))};
        steady = steady.empty() ? range : steady.unitedWith(range);
    }
    return steady;
}

/// "over 28 steady steps (step_#)"; of the first process that has any.
Message nameOfSteps(const Trace& trace, TraceAnalysis& facts)
{
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (steps.empty())
            continue;
        const CutSteps cut = cutSteps(trace, steps);
        return {"scope.steps",
            "over {steps, plural, one {# steady step} other {# steady steps}} ({pattern}){cut, select, yes {, cut by the range} other {}}",
            {{"steps", Count{steps.steady()}}, {"pattern", Name{steps.pattern}},
                {"cut", yesOrNo(cut.first || cut.last)}}};
    }
    return {};
}

} // namespace

TimeRange lifeOfGpus(const Trace& trace)
{
    // Work that was cut off counts as well.
    const auto part = partOf(trace.info);
    TimeRange life = part && !part->gpuWork.empty() ? part->gpuWork : TimeRange{};
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            EventIndex first = lane.first;
            EventIndex last = lane.first + lane.count;
            // Pages that the host touches before or after all work are no work of the GPU's.
            const auto moves = [&](EventIndex i) {
                return kind == EventKind::Memcpy && isFaultMigration(trace.memcpys().copy(i));
            };
            while (first < last && moves(first))
                ++first;
            while (last > first && moves(last - 1))
                --last;
            if (first == last)
                continue;
            const TimeRange span{table.start[first], table.end(last - 1)};
            life = life.empty() ? span : life.unitedWith(span);
        }
    }
    return life;
}

TimeRange queuedStart(const Trace& trace, TimeRange life)
{
    constexpr Ns longQueue = 1'000'000; // launches of a GPU that is free begin some microseconds later
    if (life.empty())
        return {};
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            const EventIndex first = table.firstStartingAt(lane, life.start);
            if (first >= lane.first + lane.count || table.start[first] != life.start)
                continue;
            const EventRef call = trace.apiCallOf({kind, first});
            if (!call.valid())
                continue;
            const TimeRange queued{trace.range(call).end, life.start};
            return queued.end - queued.start >= longQueue ? queued : TimeRange{};
        }
    }
    return {};
}

namespace {

/// The start of the first kernel in a program with many kernels: copies before it are loading (weights,
/// meshes, tables). A program of few kernels copies for them. The end of `life` where there are few.
Ns firstOfManyKernels(const Trace& trace, TimeRange life)
{
    constexpr std::size_t many = 50;
    if (trace.kernels().size() + trace.table(EventKind::GraphTrace).size() < many)
        return life.end;
    Ns first = life.end;
    for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes)
            first = lane.count > 0 ? std::min(first, table.start[lane.first]) : first;
    }
    return first;
}

/// Ranges of the program's own, on a thread.
bool isOwn(const Trace& trace, const Track& track)
{
    return track.device < 0 && track.laneCount > 0 && trace.text(track.family).empty();
}

bool saysMeasured(std::string_view name)
{
    constexpr std::array<std::string_view, 5> measuring{"benchmark", "bench", "measure", "measured", "timed"};
    const std::vector<std::string> words = wordsOf(name);
    return std::ranges::any_of(words,
        [&](const std::string& word) { return std::ranges::find(measuring, word) != measuring.end(); });
}

/// The only range whose name marks it as measured: "benchmark_loop".
EventIndex rangeToMeasure(const Trace& trace, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    OncePerName measures([&](StringId name) { return saysMeasured(trace.text(name)); });
    EventIndex found = noIndex;
    for (const Track& track : nvtx.tracks) {
        if (!isOwn(trace, track))
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (!measures(nvtx.name[i]))
                continue;
            if (found != noIndex)
                return noIndex;
            found = i;
        }
    }
    return found;
}

/// The last of the ranges at a thread's start whose names mark one-time costs: compilation, set-up, warm-up.
EventIndex lastOfStart(const Trace& trace, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    EventIndex last = noIndex;
    for (const Track& track : nvtx.tracks) {
        if (!isOwn(trace, track))
            continue;
        const Lane& outermost = nvtx.lanes[track.firstLane];
        for (const EventIndex i : stoppable(outermost.first, outermost.first + outermost.count, stop)) {
            if (stepRankOf(trace.text(nvtx.name[i])) != StepRank::OneTime)
                break;
            if (last == noIndex || nvtx.end(i) > nvtx.end(last))
                last = i;
        }
    }
    return last;
}

/// The part of `life` that the program's own ranges name, where kernels run in it; empty: they name none.
Scope namedScope(const Trace& trace, TimeRange life, const std::stop_token& stop)
{
    const auto computes = [&](TimeRange range) {
        return std::ranges::any_of(trace.kernels().lanes, [&](const Lane& lane) {
            const auto [first, last] = trace.kernels().touching(lane, range);
            return first < last;
        });
    };
    const auto nameOf = [&](EventIndex i) {
        return Argument{"range", Name{toUtf8(trace.text(trace.nvtx().name[i]))}};
    };
    if (const EventIndex i = rangeToMeasure(trace, stop); i != noIndex) {
        const TimeRange range = trace.nvtx().range(i).clippedTo(life);
        if (!range.empty() && computes(range))
            return {range, {"scope.in_range", "in the range {range}", {nameOf(i)}},
                {"scope.range", "the range {range}", {nameOf(i)}}};
    }
    if (const EventIndex i = lastOfStart(trace, stop); i != noIndex) {
        const TimeRange rest = TimeRange{trace.nvtx().end(i), life.end}.clippedTo(life);
        if (!rest.empty() && rest.start > life.start && computes(rest))
            return {rest, {"scope.after_range", "after the range {range}, to the last GPU work", {nameOf(i)}},
                {"scope.range_end", "the end of the range {range}", {nameOf(i)}}};
    }
    return {};
}

} // namespace

Scope scopeOf(const Trace& trace, TimeRange window, TraceAnalysis& facts)
{
    if (const TimeRange steady = steadySteps(trace, facts).clippedTo(window); !steady.empty())
        return {steady, nameOfSteps(trace, facts), {"scope.first_step", "the first steady step"}};
    const TimeRange life = lifeOfGpus(trace);
    if (life.empty() || window.empty())
        return {};
    const TimeRange inside = window.clippedTo(life);
    if (inside.empty())
        return {window, {"scope.outside", "before or after all GPU work"}, {"scope.window", "the range"}};
    if (inside == life) {
        if (Scope named = namedScope(trace, life, facts.stop()); !named.range.empty())
            return named;
    }
    const auto part = partOf(trace.info);
    const bool isLater = part && part->gpuWork.start < window.start; // it has no first kernel to begin with
    const Ns first = isLater ? inside.start : firstOfManyKernels(trace, life);
    if (inside.start < first && first < inside.end)
        return {{first, inside.end},
            inside.end == life.end ? Message("scope.kernels", "from the first kernel to the last GPU work")
                                   : Message("scope.from_kernel", "from the first kernel on"),
            {"scope.first_kernel", "the first kernel"}};
    return {inside,
        inside == life
            ? Message("scope.life", "from the first to the last GPU work")
            : Message("scope.part", "the part of the range between the first and the last GPU work"),
        {"scope.first_work", "the first GPU work"}};
}

} // namespace warpline
