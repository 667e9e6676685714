#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// Sorted, disjoint, non-empty ranges that do not touch: the time covered by a set of events. Two kernels
/// running at once cover their time once, so busy time is never counted twice.
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
/// Calls visit(range) for each range of difference(a, b), in order of time.
template <typename Visit> void forEachDifference(const Intervals& a, const Intervals& b, Visit visit)
{
    auto cut = b.begin();
    for (const TimeRange& range : a) {
        Ns from = range.start;
        while (cut != b.end() && cut->end <= from)
            ++cut;
        for (auto at = cut; at != b.end() && at->start < range.end; ++at) {
            if (at->start > from)
                visit(TimeRange{from, at->start});
            from = std::max(from, at->end);
        }
        if (from < range.end)
            visit(TimeRange{from, range.end});
    }
}
/// The part of `covered` inside `window`. O(log n + result).
Intervals clipped(const Intervals& covered, TimeRange window);
/// Sum of the lengths.
Ns totalTime(const Intervals& covered);
/// How much of it lies inside `window`. O(log n + result), without a copy: there may be millions.
Ns totalTime(const Intervals& covered, TimeRange window);
/// How long both cover: the time of intersection(a, b), without it. O(n + m).
Ns commonTime(const Intervals& a, const Intervals& b);

} // namespace warpline
