#pragma once

#include "core/base/stop.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpline {

namespace detail {

template <typename T, typename Less> void mergeRuns(std::vector<T>& values, Less less)
{
    constexpr std::size_t maxRuns = 64;
    std::vector<std::size_t> bounds{0};
    for (std::size_t i = 1; i < values.size() && bounds.size() <= maxRuns; ++i) {
        if (less(values[i], values[i - 1]))
            bounds.push_back(i);
    }
    if (bounds.size() > maxRuns) {
        std::sort(values.begin(), values.end(), less);
        return;
    }
    bounds.push_back(values.size());
    const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
    while (bounds.size() > 2) {
        std::vector<std::size_t> merged{0};
        for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
            const std::size_t last = bounds[std::min(i + 2, bounds.size() - 1)];
            std::inplace_merge(at(bounds[i]), at(bounds[i + 1]), at(last), less);
            merged.push_back(last);
        }
        bounds = std::move(merged);
    }
}

} // namespace detail

/// Sorts `values` that mostly consist of a few sorted runs, such as one per stream or lane: merges the runs,
/// O(n log runs); otherwise sorts as usual. Stable when there are few runs. Throws Stopped when `stop` is
/// requested, with `values` in any order.
template <typename T, typename Less>
void sortRuns(std::vector<T>& values, Less less, const std::stop_token& stop = {})
{
    if (stop.stop_possible()) {
        StopCheck check(stop);
        const auto lessOrStopped = [&](const T& a, const T& b) {
            check.step();
            return less(a, b);
        };
        detail::mergeRuns(values, lessOrStopped);
    } else {
        detail::mergeRuns(values, less);
    }
}

} // namespace warpline
