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
    // In place: the union has at most as many pieces as there are ranges.
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
    return intersection<Intervals, Intervals>(a, b);
}

Intervals difference(const Intervals& a, const Intervals& b)
{
    return difference<Intervals, Intervals>(a, b);
}

Intervals united(const Intervals& a, const Intervals& b)
{
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    Intervals both;
    both.reserve(a.size() + b.size());
    forEachOfEither(a, b, [&](TimeRange next) {
        if (!both.empty() && next.start <= both.back().end)
            both.back().end = std::max(both.back().end, next.end);
        else
            both.push_back(next);
    });
    return both;
}

Intervals clipped(const Intervals& covered, TimeRange window)
{
    return clipped<Intervals>(covered, window);
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
