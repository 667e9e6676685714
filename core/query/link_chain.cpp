#include "core/query/link_chain.h"

#include "core/derive/nvtx_projection.h"
#include "core/derive/stream_waits.h"
#include "core/query/event_text.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr EventIndex maxScannedCalls = 20'000; ///< a program that never waits must not hold up the hand

bool isWait(const Trace& trace, EventIndex call)
{
    return apiFamilyOf(trace.name({EventKind::ApiCall, call})) == EventTint::ApiSync;
}

bool startsWork(const Trace& trace, EventIndex call)
{
    bool starts = false;
    trace.visitWork(call, [&starts](EventRef) { starts = true; });
    return starts;
}

/// The outermost calls of the thread of `call`.
const Lane& laneOf(const Trace& trace, EventIndex call)
{
    const EventTable& calls = trace.apiCalls();
    return calls.lanes[calls.trackOf(call).firstLane];
}

/// The first call from `from` on, or up to it, of its lane that `wanted` accepts.
template <typename Wanted> EventRef findCall(const Lane& lane, EventIndex from, bool forward, Wanted&& wanted)
{
    EventIndex at = from;
    for (EventIndex looked = 0; looked < maxScannedCalls; ++looked) {
        if (at < lane.first || at >= lane.first + lane.count)
            break;
        if (wanted(at))
            return {EventKind::ApiCall, at};
        at += forward ? 1 : -1U;
    }
    return {};
}

/// The first piece of work that `call` started.
EventRef firstWorkOf(const Trace& trace, EventIndex call)
{
    EventRef first;
    trace.visitWork(call, [&](EventRef work) {
        if (!first.valid() || trace.range(work).start < trace.range(first).start)
            first = work;
    });
    return first;
}

/// The work that ended last while `call` waited, of all streams of its process.
EventRef waitedFor(const Trace& trace, EventIndex call)
{
    const TimeRange wait = trace.apiCalls().range(call);
    const GlobalId process = processOf(trace.apiCalls().trackOf(call).owner);
    EventRef last;
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (processOf(track.owner) != process)
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                // Ends of a lane ascend, so the last event that ended by then precedes the first that ends
                // later.
                const EventIndex after = table.firstEndingAfter(lane, wait.end);
                if (after == lane.first)
                    continue;
                const EventIndex at = after - 1;
                if (table.end(at) >= wait.start && (!last.valid() || table.end(at) > trace.range(last).end))
                    last = {kind, at};
            }
        }
    }
    return last;
}

} // namespace

EventRef nextInChain(const Trace& trace, EventRef event)
{
    if (event.kind == EventKind::ApiCall) {
        if (const EventRef work = firstWorkOf(trace, event.index); work.valid())
            return work;
        if (!isWait(trace, event.index)) // a call that neither launches work nor waits has no next link
            return {};
        return findCall(laneOf(trace, event.index), event.index + 1, true,
            [&](EventIndex call) { return startsWork(trace, call); });
    }
    if (event.kind == EventKind::Nvtx) {
        const std::vector<EventRef> shown = projectionsOf(trace, event.index);
        return shown.empty() ? EventRef() : shown.front();
    }
    if (!isGpuWork(event.kind))
        return {};
    const auto waits = streamWaitsOf(trace);
    for (const StreamWait& each : *waits) {
        if (each.producer == event && !each.held.empty())
            return each.consumer;
    }
    const EventRef launch = trace.apiCallOf(event);
    if (!launch.valid())
        return {};
    const Lane& lane = laneOf(trace, launch.index);
    const EventIndex from = trace.apiCalls().firstEndingAfter(lane, trace.range(event).end);
    return findCall(
        lane, std::max(from, launch.index + 1), true, [&](EventIndex call) { return isWait(trace, call); });
}

EventRef previousInChain(const Trace& trace, EventRef event)
{
    if (isGpuWork(event.kind)) {
        const auto waits = streamWaitsOf(trace);
        for (const StreamWait& each : *waits) {
            if (each.consumer == event && !each.held.empty())
                return each.producer;
        }
        return trace.apiCallOf(event);
    }
    if (event.kind == EventKind::NvtxProjected)
        return madeFrom(trace, event);
    if (event.kind != EventKind::ApiCall)
        return {};
    if (!startsWork(trace, event.index))
        return isWait(trace, event.index) ? waitedFor(trace, event.index) : EventRef();
    const Lane& lane = laneOf(trace, event.index);
    if (event.index <= lane.first)
        return {};
    return findCall(lane, event.index - 1, false, [&](EventIndex call) { return isWait(trace, call); });
}

} // namespace warpline
