#include "core/query/row_walk.h"

#include "core/store/trace.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace warpline {

namespace {

Ns distanceTo(TimeRange range, Ns time)
{
    return time < range.start ? range.start - time : time >= range.end ? time - range.end + 1 : 0;
}

/// The event of `lane` next to `event` by start, and by EventRef for equal starts; not valid() at the end.
EventRef nextToIn(const Trace& trace, EventKind kind, const Lane& lane, EventRef event, bool forward)
{
    const EventIndex end = lane.first + lane.count;
    const bool isOwn = kind == event.kind && event.index >= lane.first && event.index < end;
    EventIndex after = event.index + 1;
    EventIndex before = event.index;
    if (!isOwn) {
        const Ns start = trace.range(event).start;
        const bool isLater = EventRef{kind, lane.first} > event;
        after = trace.table(kind).firstStartingAt(lane, isLater ? start : start + 1);
        before = after;
    }
    if (forward ? after >= end : before == lane.first)
        return {};
    return {kind, forward ? after : before - 1};
}

bool comesBefore(const Trace& trace, EventRef a, EventRef b)
{
    return std::pair(trace.range(a).start, a) < std::pair(trace.range(b).start, b);
}

EventRef neighbourInLane(const Trace& trace, EventRef event, bool forward)
{
    const EventTable& table = trace.table(event.kind);
    const Lane& lane = table.lanes[table.laneIndexOf(event.index)];
    if (forward ? event.index + 1 >= lane.first + lane.count : event.index == lane.first)
        return {};
    event.index += forward ? 1 : -1U;
    return event;
}

/// The event of `lane` that holds `time`, else the one that is least far from it; noIndex of an empty lane.
/// O(log n).
EventIndex nearestIn(const EventTable& table, const Lane& lane, Ns time)
{
    if (lane.count == 0)
        return noIndex;
    const EventIndex end = lane.first + lane.count;
    const EventIndex at = std::min(table.firstEndingAfter(lane, time), end - 1);
    if (at == lane.first)
        return at;
    return distanceTo(table.range(at - 1), time) < distanceTo(table.range(at), time) ? at - 1 : at;
}

} // namespace

EventRef neighbourIn(const Trace& trace, const Row& row, EventRef event, bool forward)
{
    if (row.drawing == Drawing::Slices && !isGpuWork(event.kind))
        return neighbourInLane(trace, event, forward);
    EventRef best;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            const EventRef found = nextToIn(trace, ref.kind, lane, event, forward);
            if (!found.valid())
                continue;
            const bool isNearer = !best.valid()
                || (forward ? comesBefore(trace, found, best) : comesBefore(trace, best, found));
            best = isNearer ? found : best;
        }
    }
    return best;
}

EventRef acrossLanes(const Trace& trace, EventRef event, Ns time, bool deeper)
{
    const EventTable& table = trace.table(event.kind);
    const Track& track = table.trackOf(event.index);
    TimeRange range = table.range(event.index);
    range.end = std::max(range.end, range.start + 1);
    std::uint32_t at = table.laneIndexOf(event.index);
    while (deeper ? ++at < track.firstLane + track.laneCount : at-- > track.firstLane) {
        const auto [first, last] = table.touching(table.lanes[at], range);
        if (first < last)
            return {event.kind, nearestIn(table, {first, last - first}, time)};
    }
    return {};
}

EventRef eventAt(const Trace& trace, const Row& row, Ns time, bool fromBelow)
{
    const bool nested = row.drawing == Drawing::Slices;
    EventRef best;
    Ns bestDistance = std::numeric_limits<Ns>::max();
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            const EventIndex index = nearestIn(table, lane, time);
            if (index == noIndex)
                continue;
            const EventRef found{ref.kind, index};
            const Ns distance = distanceTo(table.range(index), time);
            // Lanes come from the outermost inwards.
            const bool isPreferred = nested
                ? fromBelow && distance == 0
                : best.valid() && table.range(index).duration() < trace.range(best).duration();
            if (distance < bestDistance || (distance == bestDistance && isPreferred)) {
                best = found;
                bestDistance = distance;
            }
        }
    }
    return best;
}

EventRef nearestOutside(const Trace& trace, const Row& row, TimeRange window, bool after)
{
    EventRef best;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            const EventIndex begin
                = after ? table.firstStartingAt(lane, window.end) : table.touching(lane, window).first;
            if (after ? begin >= lane.first + lane.count : begin == lane.first)
                continue;
            const EventRef found{ref.kind, after ? begin : begin - 1};
            const bool isNearer = !best.valid()
                || (after ? trace.range(found).start < trace.range(best).start
                          : trace.range(found).end > trace.range(best).end);
            if (isNearer)
                best = found;
        }
    }
    return best;
}

} // namespace warpline
