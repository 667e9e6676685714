#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/findings/rule.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <vector>

namespace warpline {

/// Calls visit(call) for every outermost API call of `thread` that touches `window`, in order of time: calls
/// of the driver inside calls of the runtime are the runtime's business.
template <typename Visit>
void forEachOuterCall(const RuleContext& context, GlobalId thread, TimeRange window, Visit&& visit)
{
    const EventTable& calls = context.trace.apiCalls();
    for (const Track& track : calls.tracks) {
        if (track.owner != thread || track.laneCount == 0)
            continue;
        const auto [first, last] = calls.touching(calls.lanes[track.firstLane], window);
        for (const EventIndex i : stoppable(first, last, context.stop))
            visit(i);
    }
}

/// The threads that make API calls, in the order of their tracks, each once.
std::vector<GlobalId> callingThreads(const Trace& trace);
/// The time of `window` in which such a thread is in an event of `kind`; of API calls the outermost alone, of
/// what the recorder did only what is its own, see isProfilersOwn().
Intervals ofCallingThreads(const Trace& trace, EventKind kind, TimeRange window, const std::stop_token& stop);

/// True when `time` lies in a steady step, not between two.
bool isInSteadyStep(const StepSeries& steps, Ns time);
/// In how many steady steps of `steps` at least one of `times` lies, and how many of `times` lie in steady
/// steps.
struct StepHits {
    std::size_t steps = 0;
    std::size_t hits = 0;
};
StepHits hitsInSteadySteps(const StepSeries& steps, const std::vector<Ns>& times);

/// The time that `copies` (Memcpy or Memset) and the calls behind them take while no kernel of their process
/// runs: a call that blocks also waits for kernels before the copy, and that wait is not the copy's. Nor
/// is what a call takes before the first work of its GPUs: the first makes the context. Of a call no more
/// counts than 5 us before and after its copy: what it takes longer waits for something else.
Intervals besideKernels(const RuleContext& context, const std::vector<EventRef>& copies);
inline Ns timeBesideKernels(const RuleContext& context, const std::vector<EventRef>& copies)
{
    return totalTime(besideKernels(context, copies));
}

/// The GPUs of process `process` in `facts`.
std::vector<const GpuFacts*> gpusOf(TraceAnalysis& facts, GlobalId process);

/// What the GPUs idle because of the calls of `copies`, and of the waits right behind them, by the process
/// that made them. O(calls + work). Throws Stopped.
Intervals idleBecauseOfCopies(const RuleContext& context, const std::vector<EventRef>& copies);

/// The time of the measured range in which the threads of `process` that use CUDA wait for the GPU, or have
/// nothing more to launch: with faster kernels they would wait less, but not launch faster. 0: they never
/// wait, so nothing is known.
Ns hostSlack(const RuleContext& context, GlobalId process);


} // namespace warpline
