#include "core/coverage/intervals.h"

#include "core/base/sorted_runs.h"
#include "core/base/stop.h"
#include "core/coverage/interval_times.h"

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

namespace {

/// Calls visit(range) for each range that both cover.
template <typename Visit> void forEachCommon(const Intervals& a, const Intervals& b, Visit visit)
{
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
        const TimeRange common = left->clippedTo(*right);
        if (!common.empty())
            visit(common);
        if (left->end < right->end)
            ++left;
        else
            ++right;
    }
}

/// The intervals that touch `window`.
std::span<const TimeRange> touching(const Intervals& covered, TimeRange window)
{
    const auto first = std::ranges::upper_bound(covered, window.start, {}, &TimeRange::end);
    return {first, std::ranges::lower_bound(first, covered.end(), window.end, {}, &TimeRange::start)};
}

} // namespace

Intervals intersection(const Intervals& a, const Intervals& b)
{
    // Counted first: a list that grows holds three times its memory for a moment, and there may be millions.
    std::size_t pieces = 0;
    forEachCommon(a, b, [&](TimeRange) { ++pieces; });
    Intervals both;
    both.reserve(pieces);
    forEachCommon(a, b, [&](TimeRange range) { both.push_back(range); });
    return both;
}

Ns commonTime(const Intervals& a, const Intervals& b)
{
    Ns total = 0;
    forEachCommon(a, b, [&](TimeRange range) { total += range.duration(); });
    return total;
}

Intervals difference(const Intervals& a, const Intervals& b)
{
    std::size_t pieces = 0; // counted first, as for the intersection
    forEachDifference(a, b, [&](TimeRange) { ++pieces; });
    Intervals rest;
    rest.reserve(pieces);
    forEachDifference(a, b, [&](TimeRange range) { rest.push_back(range); });
    return rest;
}

Intervals clipped(const Intervals& covered, TimeRange window)
{
    Intervals inside;
    if (window.empty())
        return inside;
    const auto found = touching(covered, window);
    inside.assign(found.begin(), found.end());
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

Ns totalTime(const Intervals& covered, TimeRange window)
{
    Ns total = 0;
    if (!window.empty()) {
        for (const TimeRange& range : touching(covered, window))
            total += range.clippedTo(window).duration();
    }
    return total;
}

} // namespace warpline
