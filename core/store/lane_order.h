#pragma once

#include "core/store/event_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace warpline {

/// Sorts the events `order` of one track by start; of those that start together what holds the others comes
/// first. Events that are equal in all that is looked at keep their order.
void sortByStart(const EventTable& table, std::span<std::uint32_t> order);

/// Reorders `order` (sorted by start) by lane, and returns the number of events in each lane.
std::vector<std::uint32_t> groupByLane(const EventTable& table, std::span<std::uint32_t> order);

} // namespace warpline
