#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/derive/tracks_of.h"
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
    for (const Track& track : TracksOf(context.trace, EventKind::ApiCall, thread)) {
        if (track.laneCount == 0)
            continue;
        const auto [first, last] = calls.touching(calls.lanes[track.firstLane], window);
        for (const EventIndex i : stoppable(first, last, context.stop))
            visit(i);
    }
}

/// The threads that make API calls, in the order of their tracks, each once.
std::vector<GlobalId> callingThreads(const Trace& trace);
/// The time of `window` in which such a thread is in an event of `kind`; of API calls the outermost only, of
/// recorder events only its own work, see isProfilersOwn().
Intervals ofCallingThreads(const Trace& trace, EventKind kind, TimeRange window, const std::stop_token& stop);

/// How long the calls that started `work` take the host, each call once: that of a graph starts many copies.
Ns timeInCalls(const Trace& trace, const std::vector<EventRef>& work);

/// True when `time` lies in a steady step, not between two.
bool isInSteadyStep(const StepSeries& steps, Ns time);
/// How many steady steps of `steps` contain at least one of `times`, and how many of `times` lie in steady
/// steps.
struct StepHits {
    std::size_t steps = 0;
    std::size_t hits = 0;
};
StepHits hitsInSteadySteps(const StepSeries& steps, const std::vector<Ns>& times);

/// The fixed time of a copy call before and after its copy (ns), however few bytes it has: besideKernels()
/// counts at most this much.
inline constexpr Ns callMargin = 5'000;

/// The time of `copies` (Memcpy or Memset) and their calls while no kernel of their process runs: a blocking
/// call also waits for kernels before the copy, which is not the copy's time. Calls before the first GPU work
/// do not count, because the first creates the context. Of a call at most 5 us before and after its copy
/// count: more is a wait for something else.
Intervals besideKernels(const RuleContext& context, const std::vector<EventRef>& copies);
inline Ns timeBesideKernels(const RuleContext& context, const std::vector<EventRef>& copies)
{
    return totalTime(besideKernels(context, copies));
}

/// The time that GPUs idle because of the calls of `copies`, and of the waits right after them, by process.
/// O(calls + work). Throws Stopped.
Intervals idleBecauseOfCopies(const RuleContext& context, const std::vector<EventRef>& copies);

/// The time of the measured range in which the CUDA threads of `process` wait for the GPU, or have nothing
/// more to launch: faster kernels shorten this time, but do not speed up launches. 0: they never wait, so
/// that the slack is unknown.
Ns hostSlack(const RuleContext& context, GlobalId process);

} // namespace warpline
