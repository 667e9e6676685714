#pragma once

#include "core/base/time.h"
#include "core/derive/call_kinds.h"
#include "core/store/event_kind.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Index into ReplayGraph::calls or ::works; none.
inline constexpr std::uint32_t noNode = 0xFFFFFFFFU;

/// A CUDA call on the host: only outermost calls; inner ones are part of them.
struct ReplayCall {
    EventIndex call = noIndex;
    TimeRange made; ///< as recorded
    CallKind kind = CallKind::Other;
    std::uint32_t thread = 0; ///< index into ReplayGraph::threads
    std::uint32_t step = 0; ///< that was open as it began; see ReplayGraph::steps
    std::uint32_t previous = noNode; ///< of its thread
    Ns gap = 0; ///< the thread's own time since `previous`, or since the begin of the replay
    std::uint32_t turn = noNode; ///< the last call of another thread that this one waited for; then
    Ns turnGap = 0; ///< the time since it, and `gap` counts for nothing
    Ns length = 0; ///< time without waiting
    Ns tail = 0; ///< from the end of the awaited work to its return
    std::uint32_t firstAwaited = 0; ///< it waits for awaited[firstAwaited, firstAwaited + awaitedCount)
    std::uint32_t awaitedCount = 0;
    std::uint32_t room
        = noNode; ///< the work that has to begin before there is room in the queue for this one
    bool waited = false; ///< it was still waiting as recorded
    bool launches = false; ///< starts GPU work
    bool removed = false;
};

/// A piece of GPU work.
struct ReplayWork {
    EventRef event;
    TimeRange ran; ///< as recorded
    Ns length = 0;
    std::uint32_t stream = 0; ///< index among the streams of the graph
    std::uint32_t step = 0; ///< the step of its launching call
    std::uint32_t call = noNode; ///< that launched it; none: it began when it began
    Ns latency = 0; ///< from the begin of the call to the earliest begin of the work
    std::uint32_t previous = noNode; ///< on its stream
    bool beginsGraph = false; ///< the first node of a graph launch on its stream, or the whole graph
    Ns gap = 0; ///< from the end of `previous`; negative where both overlapped
    std::uint32_t producer = noNode; ///< on another stream, that it waits for
    Ns producerGap = 0;
    bool isOrdered = false; ///< `producer` is known by an event; else it is likely
    bool removed = false;
    bool moved = false; ///< to another stream or time: no mark of a step any more
    bool isOfDevice = true; ///< on the GPU that defines the steps
};

/// An event of the replay: a call begins, a call returns, work runs.
struct ReplayEvent {
    enum class Kind : std::uint8_t { CallBegins, WorkRuns, CallReturns };
    Ns time = 0; ///< as recorded
    Kind kind = Kind::CallBegins;
    std::uint32_t node = 0;
};

/// No change makes work longer than 10,000 s: sums of many lengths stay within 64 bits.
inline constexpr Ns longestScaled = 10'000'000'000'000;

/// Consecutive steps of a process as calls and work with their dependencies. Everything depends on earlier
/// events only, so one pass in order of time replays it.
struct ReplayGraph {
    Ns begin = 0; ///< the host is at the begin of the first step
    std::size_t steps = 0; ///< the measured ones; work of one more step marks the end of the last
    bool isWhole = false; ///< one stretch without steps: it ends with its last work
    bool fromStart = false; ///< and begins at `begin`, not with its first work; by ofRange()
    bool isCapped = false; ///< a change asks for more than longestScaled
    std::vector<GlobalId> threads;
    std::vector<ReplayCall> calls; ///< by begin
    std::vector<ReplayWork> works; ///< by begin
    std::vector<std::uint32_t> awaited; ///< works
    std::vector<ReplayEvent> order;
    /// The typical gap between `work` and its predecessor in the stream.
    Ns gapBefore(const ReplayWork& work) const { return work.beginsGraph ? graphGap : streamGap; }

    Ns launchLatency = 0; ///< usual time from a launch to its work on an idle GPU
    Ns launchLength = 0; ///< usual time that a launch takes the host
    Ns kernelLaunch = 0; ///< the same of kernels alone, without graphs; 0: none is launched
    Ns copyCallLength = 0; ///< the same for a copy that does not block; 0: none is
    Ns streamGap = 0; ///< usual time between two pieces of work that wait in a stream
    Ns graphGap = 0; ///< the same before the first node of a graph
    Ns nodeGap = 0; ///< the same between two nodes of a graph; 0: there are no consecutive nodes
};

/// `graph` with typical times instead of recorded ones where nothing explains a time: latencies, gaps in
/// streams, returns from waits. The difference to the recorded steps shows how much the model explains.
ReplayGraph withUsualTimes(ReplayGraph graph);

/// The part of a process to replay.
struct ReplayWindow {
    GlobalId process = 0;
    std::int32_t device = -1; ///< the GPU whose work defines the steps; -1: any
    /// Host times of consecutive steps and of the next one; without steps a single range.
    std::vector<TimeRange> steps;
    bool isWhole = false;
};

/// The graph of `window`; nothing: it has no work. O(n log n) in the events of the window, and O(names) in
/// those of the report. Throws Stopped.
std::optional<ReplayGraph> replayGraphOf(
    const Trace& trace, const ReplayWindow& window, const std::stop_token& stop = {});

} // namespace warpline
