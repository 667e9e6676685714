#include "core/coverage/intervals.h"

#include <algorithm>

namespace warpline {

namespace {

/// Sorts by start. Ranges mostly come as a few sorted runs one behind another, a stream or a lane each: those
/// are merged.
void sortByStart(std::vector<TimeRange>& ranges)
{
    constexpr std::size_t mostRuns = 64;
    const auto earlier = [](TimeRange a, TimeRange b) { return a.start < b.start; };
    std::vector<std::size_t> bounds{0};
    for (std::size_t i = 1; i < ranges.size() && bounds.size() <= mostRuns; ++i) {
        if (earlier(ranges[i], ranges[i - 1]))
            bounds.push_back(i);
    }
    if (bounds.size() > mostRuns) {
        std::ranges::sort(ranges, earlier);
        return;
    }
    bounds.push_back(ranges.size());
    const auto at = [&](std::size_t i) { return ranges.begin() + static_cast<std::ptrdiff_t>(i); };
    while (bounds.size() > 2) {
        std::vector<std::size_t> merged{0};
        for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
            const std::size_t last = bounds[std::min(i + 2, bounds.size() - 1)];
            std::inplace_merge(at(bounds[i]), at(bounds[i + 1]), at(last), earlier);
            merged.push_back(last);
        }
        bounds = std::move(merged);
    }
}

} // namespace

Intervals unionOf(std::vector<TimeRange> ranges, TimeRange window)
{
    sortByStart(ranges);
    Intervals covered;
    for (const TimeRange& range : ranges) {
        const TimeRange inside = range.clippedTo(window);
        if (inside.empty())
            continue;
        if (!covered.empty() && inside.start <= covered.back().end)
            covered.back().end = std::max(covered.back().end, inside.end);
        else
            covered.push_back(inside);
    }
    return covered;
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
    auto at = std::ranges::upper_bound(covered, window.start, {}, &TimeRange::end);
    for (; at != covered.end() && at->start < window.end; ++at)
        inside.push_back(at->clippedTo(window));
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
