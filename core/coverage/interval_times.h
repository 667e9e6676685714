#pragma once

#include "core/coverage/intervals.h"

#include <algorithm>

namespace warpline {

/// How much of `covered` lies inside `window`. O(log n + result), without a copy: there may be millions.
Ns totalTime(const Intervals& covered, TimeRange window);
/// How long both cover: the time of intersection(a, b), without it. O(n + m).
Ns commonTime(const Intervals& a, const Intervals& b);

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

} // namespace warpline
