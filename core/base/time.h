#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpline {

/// Nanoseconds on the report's own clock: an instant or a length, by the name of the variable. Signed,
/// because events may precede the start of the session.
using Ns = std::int64_t;

/// The latest UTC time that a report may name: in the year 2223. Differences of such times fit into Ns.
inline constexpr Ns latestUtcNs = 8'000'000'000'000'000'000;

/// About 417 days: events lie nearer to the start of the session, either way. That is longer than any
/// profile, but enough for clocks that count from the machine's start. Sums over threads and devices stay
/// within 64 bits.
inline constexpr Ns timeLimit = Ns{1} << 55;

constexpr bool isPossibleTime(Ns time)
{
    return -timeLimit < time && time < timeLimit;
}

/// The half-open interval [start, end). Every range in this program is half-open, so neighbours
/// meet without overlapping and lengths add up. A mark (start == end) belongs to the range that
/// contains its time.
struct TimeRange {
    Ns start = 0;
    Ns end = 0;

    constexpr bool empty() const { return end <= start; }
    /// Length in ns; 0 for an empty or inverted range.
    constexpr Ns duration() const { return empty() ? 0 : end - start; }
    constexpr bool contains(Ns t) const { return start <= t && t < end; }
    constexpr bool overlaps(TimeRange o) const { return start < o.end && o.start < end; }
    /// True when an event [eventStart, eventEnd) overlaps this range; for a mark, when its time is inside.
    constexpr bool touches(Ns eventStart, Ns eventEnd) const
    {
        return eventStart < end && (eventEnd > start || (eventStart == eventEnd && eventStart == start));
    }
    constexpr TimeRange clippedTo(TimeRange o) const
    {
        return {std::max(start, o.start), std::min(end, o.end)};
    }
    /// The smallest range that holds both.
    constexpr TimeRange unitedWith(TimeRange o) const
    {
        return {std::min(start, o.start), std::max(end, o.end)};
    }

    friend constexpr bool operator==(TimeRange, TimeRange) = default;
};

/// Holds all times, also those before 0.
inline constexpr TimeRange allTime{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};

} // namespace warpline
