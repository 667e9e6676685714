#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace warpline {

/// The median: of an even number of values the mean of the two in the middle, which of whole numbers is
/// rounded up, as wholeNs() rounds what is shown; 0 of nothing. Puts `values` into another order.
template <typename T> T middleIn(std::span<T> values)
{
    if (values.empty())
        return T{};
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, upper);
    return std::midpoint(*upper, values.size() % 2 == 1 ? *upper : *std::max_element(values.begin(), upper));
}

/// The same of a copy.
template <typename T> T middleOf(std::vector<T> values)
{
    return middleIn(std::span(values));
}

/// The same of values that keep their order.
template <typename T> T middleOf(std::span<const T> values)
{
    return middleOf(std::vector<T>(values.begin(), values.end()));
}

/// The upper median: of an even number of values the larger of the two in the middle. Of two kinds in turn
/// neither is then out of proportion. 0 of nothing. For numbers that are shown see middleOf().
template <typename T> T upperMedian(std::vector<T> values)
{
    if (values.empty())
        return T{};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace warpline
