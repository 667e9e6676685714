#pragma once

#include "core/rows/row_tree.h"

namespace warpline {

class Trace;

/// How one goes from event to event by hand: along a row, from lane to lane, and into another row.

/// The event of `lane` that holds `time`, else the one that is least far from it; noIndex of an empty lane.
/// O(log n).
EventIndex nearestIn(const EventTable& table, const Lane& lane, Ns time);

/// The event of `row` next to `event`, which it shows: in a row of nested lanes of the same lane; elsewhere
/// by start among all that the row shows, those that start together in the order of EventRef. Not valid() at
/// the end. O(lanes log n).
EventRef neighbourIn(const Trace& trace, const Row& row, EventRef event, bool forward);

/// Of the lanes above `event` on its track, or below with `deeper`, the event nearest to `time` in the first
/// lane that has one which shares time with `event`: its parent or a child where ranges nest. Not valid()
/// when there is none. O(lanes log n).
EventRef acrossLanes(const Trace& trace, EventRef event, Ns time, bool deeper);

/// The event of `row` at `time`: the outermost, or with `fromBelow` the deepest; where several lie side by
/// side the shortest. When none is there, the nearest. Not valid() in a row without events. O(lanes log n).
EventRef eventAt(const Trace& trace, const Row& row, Ns time, bool fromBelow);

/// The event of `row` that is nearest to `window` and outside of it: before it, or after it. Not valid() when
/// there is none. O(lanes log n).
EventRef nearestOutside(const Trace& trace, const Row& row, TimeRange window, bool after);

} // namespace warpline
