#pragma once

#include "core/rows/row_tree.h"

#include <map>
#include <string>
#include <vector>

namespace warpline {

class CoverageCache;
class Trace;
struct Track;

/// The kind of value at the right of a row.
enum class Figure : std::uint8_t { None, Busy, Count };

/// A row that draws one track in full: its lanes nested downwards, or marks.
Row trackRow(const Trace& trace, CoverageCache& coverages, TrackRef track, std::string key, Message label,
    Tint tint, Figure figure);
/// A row that sums up several tracks in one line. With one track of one lane the coverage is left out:
/// readers use the lane (busyOf() and rowBusyShare() do).
Row summaryRow(const Trace& trace, CoverageCache& coverages, std::vector<TrackRef> tracks, std::string key,
    Message label, Tint tint, Figure figure);
/// A heading.
Row headerRow(std::string key, Message label);
/// The row of a counter, with how many samples it has as a hint.
Row counterRow(const Trace& trace, std::uint32_t counter, std::string key, Drawing drawing = Drawing::Steps);
/// `count` as the value of a row.
Message countText(std::uint64_t count);

/// All tracks of `kind`.
std::vector<TrackRef> tracksOf(const Trace& trace, EventKind kind);

} // namespace warpline
