#pragma once

#include "core/base/time.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// Sorted, disjoint, non-empty ranges that do not touch: the time that events cover. Concurrent kernels cover
/// their time once, so busy time is never counted twice.
using Intervals = std::vector<TimeRange>;

/// The time covered by `ranges` (in any order), cut to `window`. O(n log n); less when they
/// come as a few sorted runs. Throws Stopped when `stop` is requested.
Intervals unionOf(std::vector<TimeRange> ranges, TimeRange window, const std::stop_token& stop = {});
/// The parts of `window` that `busy` leaves free, including before the first and after the last. O(n).
Intervals gaps(const Intervals& busy, TimeRange window);
/// The time covered by both. O(n + m).
Intervals intersection(const Intervals& a, const Intervals& b);
/// The time covered by `a` and not by `b`. O(n + m).
Intervals difference(const Intervals& a, const Intervals& b);
/// The time covered by either. O(n + m).
Intervals united(const Intervals& a, const Intervals& b);
/// The part of `covered` inside `window`. O(log n + result).
Intervals clipped(const Intervals& covered, TimeRange window);
/// Sum of the lengths.
Ns totalTime(const Intervals& covered);

} // namespace warpline
