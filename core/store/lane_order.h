#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace warpline {

/// Sorts the events of each track by lane, then start, in every column. For equal starts the outer event
/// comes first; otherwise equal events keep their order. The tracks are consecutive runs of `counts` events.
/// `address` is a column like those of `table`, or empty. Returns the number of events in each lane of each
/// track.
std::vector<std::vector<std::uint32_t>> sortIntoLanes(EventTable& table, std::vector<std::uint64_t>& address,
    std::span<const std::uint32_t> counts, std::size_t threads);

} // namespace warpline
