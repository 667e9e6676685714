#include "core/coverage/united.h"

#include <algorithm>

namespace warpline {

Intervals united(const Intervals& a, const Intervals& b)
{
    Intervals both;
    both.reserve(a.size() + b.size());
    for (auto left = a.begin(), right = b.begin(); left != a.end() || right != b.end();) {
        const bool takesLeft = right == b.end() || (left != a.end() && left->start <= right->start);
        const TimeRange next = takesLeft ? *left++ : *right++;
        if (!both.empty() && next.start <= both.back().end)
            both.back().end = std::max(both.back().end, next.end);
        else
            both.push_back(next);
    }
    return both;
}

} // namespace warpline
