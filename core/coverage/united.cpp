#include "core/coverage/united.h"

#include "core/coverage/interval_times.h"

#include <algorithm>
#include <utility>

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

PackedIntervals unitedAll(std::vector<PackedIntervals> lists)
{
    while (lists.size() > 1) { // two by two: each range is copied only a few times
        const std::size_t pairs = lists.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i)
            lists[i] = united(lists[2 * i], lists[2 * i + 1]);
        if (lists.size() % 2 == 1)
            lists[pairs] = std::move(lists.back());
        lists.resize(lists.size() - pairs);
    }
    return lists.empty() ? PackedIntervals() : std::move(lists.front());
}

} // namespace warpline
