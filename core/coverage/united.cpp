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

} // namespace warpline
