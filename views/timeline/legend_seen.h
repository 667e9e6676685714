#pragma once

#include "core/budget/idle_times.h"
#include "core/query/event_text.h"
#include "core/rows/row_tree.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// The share of one name in the visible rows and range.
struct SeenName {
    EventRef sample; ///< an example
    EventTint tint = EventTint::Kernel;
    double time = 0; ///< how much of the range it covers in all lanes, in nanoseconds
};

/// The names that `tracks` show in `window`, the largest first. Events shorter than a thousandth count for
/// the largest name there: O(lanes * 1000 * log n) for any number of events. Stops early on request.
std::vector<SeenName> namesSeen(
    const Trace& trace, std::span<const TrackRef> tracks, TimeRange window, const std::stop_token& stop);

/// Why the GPUs that `gpus` of `rows` show idle in `window`, as IdleTimes::partOf() has them: up to three
/// reasons, that with most time first. O(1000 * log n).
std::vector<std::uint16_t> idleSeen(const Trace& trace, const RowTree& rows, const IdleTimes& times,
    std::span<const RowId> gpus, TimeRange window);

} // namespace warpline
