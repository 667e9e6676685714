#pragma once

#include "core/coverage/intervals.h"
#include "core/coverage/packed_intervals.h"

namespace warpline {

/// The time covered by either. O(n + m).
Intervals united(const Intervals& a, const Intervals& b);
/// The part of `covered` inside `window`: clipped(), packed as it is found. O(log n + result).
PackedIntervals packedWithin(const PackedIntervals& covered, TimeRange window);

} // namespace warpline
