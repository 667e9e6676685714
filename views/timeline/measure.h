#pragma once

#include "views/session/session.h"

#include <QString>

#include <optional>

namespace warpline {

/// The distance of two events in time, the one that starts first before the other.
struct Measure {
    EventId first;
    EventId second;
    Ns gap = 0; ///< from the end of the first to the start of the second; negative: their overlap
    Ns startToStart = 0;
    TimeRange between; ///< the gap, or where they overlap from start to start; empty when both start at once
};

/// Measures `a` and `b`, of any two reports.
Measure measureBetween(const Workspace& workspace, EventId a, EventId b);

/// "2 µs (2,000 ns)": to read, and exact.
QString exactDuration(Ns duration);
/// In two lines: the gap or overlap, and from start to start.
QString measureText(const Measure& measure);
/// The same for the clipboard, in nanoseconds without separators, with the names of both events.
QString measureForClipboard(const Workspace& workspace, const Measure& measure);
/// A range for the clipboard: "2000 ns, from 1000 ns to 3000 ns".
QString rangeForClipboard(TimeRange range);

} // namespace warpline
