#include "core/findings/scope.h"

#include "core/findings/evidence.h"
#include "core/findings/run_facts.h"
#include "core/store/unified_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// The end of the last work that was launched before `time`: the GPU may be far behind the host.
Ns doneWith(const Trace& trace, const RunFacts& facts, const GpuFacts& gpu, Ns time)
{
    for (auto work = gpu.work.rbegin(); work != gpu.work.rend(); ++work) {
        const EventIndex call = facts.callOf(*work);
        if (call != noIndex && trace.apiCalls().start[call] < time)
            return std::max(time, trace.range(Links::unpack(*work)).end);
    }
    return time;
}

/// The steady steps of all processes that use a GPU; empty: there are none.
TimeRange steadySteps(const Trace& trace, RunFacts& facts)
{
    TimeRange steady;
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (steps.empty())
            continue;
        const TimeRange range{
            steps.ranges[steps.firstSteady].start, doneWith(trace, facts, gpu, steps.span().end)};
        steady = steady.empty() ? range : steady.unitedWith(range);
    }
    return steady;
}

/// "over 28 steady steps (step_#)"; of the first process that has any.
std::string nameOfSteps(RunFacts& facts)
{
    for (const GpuFacts& gpu : facts.gpus()) {
        const StepSeries& steps = facts.steps(gpu.process);
        if (!steps.empty())
            return fmt::format("over {} ({})", counted(steps.steady(), "steady step"), steps.pattern);
    }
    return {};
}

} // namespace

TimeRange lifeOfGpus(const Trace& trace)
{
    TimeRange life;
    for (const EventKind kind :
        {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace}) {
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

Scope scopeOf(const Trace& trace, TimeRange window, RunFacts& facts)
{
    if (const TimeRange steady = steadySteps(trace, facts).clippedTo(window); !steady.empty())
        return {steady, nameOfSteps(facts)};
    const TimeRange life = lifeOfGpus(trace);
    if (life.empty() || window.empty())
        return {};
    const TimeRange inside = window.clippedTo(life);
    if (inside.empty())
        return {window, "before or after all GPU work"};
    return {inside,
        inside == life ? "from the first to the last GPU work"
                       : "the part of the range between the first and "
                         "the last GPU work"};
}

} // namespace warpline
