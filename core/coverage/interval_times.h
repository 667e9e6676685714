#pragma once

#include "core/coverage/intervals.h"

#include <algorithm>
#include <concepts>
#include <ranges>

namespace warpline {

/// A container of ranges like Intervals (sorted, disjoint, not touching, not empty).
template <typename T>
concept IntervalList = std::ranges::random_access_range<const T> && std::convertible_to<
    std::ranges::range_reference_t<const T>, TimeRange>;

/// How much of `covered` lies inside `window`. O(log n + result), without a copy: there may be millions.
Ns totalTime(const Intervals& covered, TimeRange window);

/// Calls visit(range) for each range that both cover, in order of time: intersection(a, b), without it.
template <IntervalList A, IntervalList B, typename Visit>
void forEachCommon(const A& a, const B& b, Visit visit)
{
    auto left = a.begin();
    auto right = b.begin();
    if (left == a.end() || right == b.end())
        return;
    TimeRange one = *left; // each is read once: it may be put together
    TimeRange other = *right;
    while (true) {
        if (const TimeRange common = one.clippedTo(other); !common.empty())
            visit(common);
        if (one.end < other.end) {
            if (++left == a.end())
                return;
            one = *left;
        } else {
            if (++right == b.end())
                return;
            other = *right;
        }
    }
}

/// Calls visit(range) for each range of difference(a, b), in order of time.
template <IntervalList A, IntervalList B, typename Visit>
void forEachDifference(const A& a, const B& b, Visit visit)
{
    const bool isFew = std::ranges::size(a) < std::ranges::size(b) / 32; // then most holes are passed over
    auto cut = b.begin();
    TimeRange hole = cut != b.end() ? TimeRange(*cut) : TimeRange{}; // read once: it may be put together
    for (const TimeRange range : a) {
        Ns from = range.start;
        if (isFew && cut != b.end() && hole.end <= from) {
            cut = std::ranges::upper_bound(cut, b.end(), from, {}, &TimeRange::end);
            hole = cut != b.end() ? TimeRange(*cut) : hole;
        }
        while (cut != b.end() && hole.start < range.end) {
            if (hole.start > from)
                visit(TimeRange{from, hole.start});
            from = std::max(from, hole.end);
            if (hole.end > range.end) // it may reach into the next range
                break;
            if (++cut != b.end())
                hole = *cut;
        }
        if (from < range.end)
            visit(TimeRange{from, range.end});
    }
}

/// Calls visit(range) for each range of either, by start: those of the two may overlap.
template <IntervalList A, IntervalList B, typename Visit>
void forEachOfEither(const A& a, const B& b, Visit visit)
{
    auto left = a.begin();
    auto right = b.begin();
    TimeRange one = left != a.end() ? TimeRange(*left) : TimeRange{}; // each is read once
    TimeRange other = right != b.end() ? TimeRange(*right) : TimeRange{};
    while (left != a.end() || right != b.end()) {
        if (right == b.end() || (left != a.end() && one.start <= other.start)) {
            visit(one);
            if (++left != a.end())
                one = *left;
        } else {
            visit(other);
            if (++right != b.end())
                other = *right;
        }
    }
}

/// How long both cover: the time of intersection(a, b), without it. O(n + m).
template <IntervalList A, IntervalList B> Ns commonTime(const A& a, const B& b)
{
    Ns total = 0;
    forEachCommon(a, b, [&](TimeRange range) { total += range.duration(); });
    return total;
}

/// The time covered by both. O(n + m).
template <IntervalList A, IntervalList B> Intervals intersection(const A& a, const B& b)
{
    // Counted first: a list that grows holds three times its memory for a moment, and there may be millions.
    std::size_t pieces = 0;
    forEachCommon(a, b, [&](TimeRange) { ++pieces; });
    Intervals both;
    both.reserve(pieces);
    forEachCommon(a, b, [&](TimeRange range) { both.push_back(range); });
    return both;
}

/// The time covered by `a` and not by `b`. O(n + m).
template <IntervalList A, IntervalList B> Intervals difference(const A& a, const B& b)
{
    std::size_t pieces = 0; // counted first, as for the intersection
    forEachDifference(a, b, [&](TimeRange) { ++pieces; });
    Intervals rest;
    rest.reserve(pieces);
    forEachDifference(a, b, [&](TimeRange range) { rest.push_back(range); });
    return rest;
}

/// The ranges of `covered` that touch `window`, as a view.
template <IntervalList A> auto touching(const A& covered, TimeRange window)
{
    const auto first
        = std::ranges::upper_bound(covered.begin(), covered.end(), window.start, {}, &TimeRange::end);
    return std::ranges::subrange(
        first, std::ranges::lower_bound(first, covered.end(), window.end, {}, &TimeRange::start));
}

/// The part of `covered` inside `window`. O(log n + result).
template <IntervalList A> Intervals clipped(const A& covered, TimeRange window)
{
    Intervals inside;
    if (window.empty())
        return inside;
    const auto found = touching(covered, window);
    inside.reserve(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, found.end() - found.begin())));
    for (const TimeRange range : found)
        inside.push_back(range.clippedTo(window));
    return inside;
}

} // namespace warpline
