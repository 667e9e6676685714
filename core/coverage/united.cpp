#include "core/coverage/united.h"

#include "core/coverage/interval_times.h"

#include <algorithm>

namespace warpline {

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

PackedIntervals packedWithin(const PackedIntervals& covered, TimeRange window)
{
    if (!covered.empty() && window.start <= covered.front().start && covered.back().end <= window.end)
        return covered;
    PackedIntervals::Builder inside;
    if (!window.empty()) {
        const auto found = touching(covered, window);
        inside.reserve(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, found.end() - found.begin())));
        for (const TimeRange range : found)
            inside.add(range.clippedTo(window));
    }
    return inside.done();
}

} // namespace warpline
