#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace warpline {

/// The median: of an even number of values the mean of the two in the middle, which of whole numbers is
/// rounded towards the lower; 0 of nothing.
template <typename T> T middleOf(std::vector<T> values)
{
    if (values.empty())
        return T{};
    std::ranges::sort(values);
    return std::midpoint(values[(values.size() - 1) / 2], values[values.size() / 2]);
}

} // namespace warpline
