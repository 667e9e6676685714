#pragma once

#include "core/query/named_events.h"
#include "core/store/event_table.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// How many events take how long.
struct DurationCounts {
    std::vector<std::uint32_t> counts; ///< of each nanosecond, from 0 on
    std::vector<Ns> longer; ///< each of those for which there is no count, ascending
    bool areAll = false; ///< otherwise there are too many of the longer ones, and this holds nothing
};

/// The exact statistics of `events`, with the counts. O(n), on all processors: in one pass where few take
/// longer than 131 us, else in two. Throws Stopped.
DurationFigures durationFigures(const EventTable& table, std::span<const EventIndex> events,
    DurationCounts& counts, const std::stop_token& stop);

} // namespace warpline
