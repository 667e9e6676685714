#pragma once

#include "core/coverage/packed_intervals.h"

#include <vector>

namespace warpline {

/// The time covered by either. O(n + m).
Intervals united(const Intervals& a, const Intervals& b);

/// The time covered by any of `lists`. O(n log lists).
PackedIntervals unitedAll(std::vector<PackedIntervals> lists);

} // namespace warpline
