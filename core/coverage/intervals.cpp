#include "core/coverage/intervals.h"

#include "core/base/sorted_runs.h"
#include "core/base/stop.h"

#include <algorithm>

namespace warpline {

Intervals unionOf(std::vector<TimeRange> ranges, TimeRange window, const std::stop_token& stop)
{
    const auto startsEarlier = [](TimeRange a, TimeRange b) { return a.start < b.start; };
    sortRuns(ranges, startsEarlier, stop);
    // In place: what is covered never has more pieces than there were ranges.
    std::size_t kept = 0;
    for (const TimeRange& range : stoppableItems(ranges, stop)) {
        const TimeRange inside = range.clippedTo(window);
        if (inside.empty())
            continue;
        if (kept > 0 && inside.start <= ranges[kept - 1].end)
            ranges[kept - 1].end = std::max(ranges[kept - 1].end, inside.end);
        else
            ranges[kept++] = inside;
    }
    ranges.resize(kept);
    if (ranges.capacity() / 2 > kept) // millions of ranges may be a few stretches
        ranges.shrink_to_fit();
    return ranges;
}

Intervals gaps(const Intervals& busy, TimeRange window)
{
    return difference({window}, busy);
}

Intervals intersection(const Intervals& a, const Intervals& b)
{
    Intervals both;
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
        const TimeRange common = left->clippedTo(*right);
        if (!common.empty())
            both.push_back(common);
        if (left->end < right->end)
            ++left;
        else
            ++right;
    }
    return both;
}

Intervals difference(const Intervals& a, const Intervals& b)
{
    Intervals rest;
    rest.reserve(a.size()); // mostly as many; what is not used is never touched
    auto cut = b.begin();
    for (const TimeRange& range : a) {
        Ns from = range.start;
        while (cut != b.end() && cut->end <= from)
            ++cut;
        for (auto at = cut; at != b.end() && at->start < range.end; ++at) {
            if (at->start > from)
                rest.push_back({from, at->start});
            from = std::max(from, at->end);
        }
        if (from < range.end)
            rest.push_back({from, range.end});
    }
    return rest;
}

Intervals clipped(const Intervals& covered, TimeRange window)
{
    Intervals inside;
    if (window.empty())
        return inside;
    const auto first = std::ranges::upper_bound(covered, window.start, {}, &TimeRange::end);
    const auto last = std::ranges::lower_bound(first, covered.end(), window.end, {}, &TimeRange::start);
    inside.assign(first, last);
    if (!inside.empty()) {
        inside.front() = inside.front().clippedTo(window);
        inside.back() = inside.back().clippedTo(window);
    }
    return inside;
}

Ns totalTime(const Intervals& covered)
{
    Ns total = 0;
    for (const TimeRange& range : covered)
        total += range.duration();
    return total;
}

} // namespace warpline
