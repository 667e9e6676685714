#pragma once

#include "core/budget/idle_times.h"
#include "core/query/event_text.h"
#include "core/rows/row_tree.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// What rows show of a range under one name.
struct SeenName {
    EventRef sample; ///< one of them
    EventTint tint = EventTint::Kernel;
    double time = 0; ///< how much of the range it covers in all lanes, in nanoseconds
};

/// The names that `tracks` show in `window`, those that cover most first. What is too short for a pixel of a
/// thousand counts under the name that covers most of it there: O(lanes * 1000 * log n), however many events
/// there are. Stops early when it is asked to.
std::vector<SeenName> namesSeen(
    const Trace& trace, std::span<const TrackRef> tracks, TimeRange window, const std::stop_token& stop);

/// Why the GPUs that `gpus` of `rows` show idle in `window`, as IdleTimes::partOf() has them: up to three
/// reasons, that with most time first. O(1000 * log n).
std::vector<std::uint16_t> idleSeen(const Trace& trace, const RowTree& rows, const IdleTimes& times,
    std::span<const RowId> gpus, TimeRange window);

} // namespace warpline
