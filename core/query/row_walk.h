#pragma once

#include "core/rows/row_tree.h"

namespace warpline {

class Trace;

/// Keyboard navigation between events: along a row, from lane to lane, and into another row.

/// The event next to `event` in its row `row`: in a row of nested lanes on the same lane; elsewhere by start
/// among all events of the row, with equal starts in the order of EventRef. Not valid() at the end. O(lanes
/// log n).
EventRef neighbourIn(const Trace& trace, const Row& row, EventRef event, bool forward);

/// From the lanes above `event` on its track, or below with `deeper`: the event nearest to `time` in the
/// first lane that overlaps `event`, which is its parent or a child where ranges nest. Not valid() when there
/// is none. O(lanes log n).
EventRef acrossLanes(const Trace& trace, EventRef event, Ns time, bool deeper);

/// The event of `row` at `time`: the outermost, or with `fromBelow` the deepest; among concurrent ones the
/// shortest; without any the nearest. Not valid() in a row without events. O(lanes log n).
EventRef eventAt(const Trace& trace, const Row& row, Ns time, bool fromBelow);

/// The event of `row` nearest to `window` but outside of it: before it, or after it. Not valid() when there
/// is none. O(lanes log n).
EventRef nearestOutside(const Trace& trace, const Row& row, TimeRange window, bool after);

} // namespace warpline
