#pragma once

#include <cstdint>
#include <limits>

namespace warpline {

/// a + b, saturated: files may hold any number.
constexpr std::int64_t saturatingAdd(std::int64_t a, std::int64_t b)
{
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0 && a > Limits::max() - b)
        return Limits::max();
    if (b < 0 && a < Limits::min() - b)
        return Limits::min();
    return a + b;
}

/// a * b of non-negative numbers, saturated.
constexpr std::int64_t saturatingProduct(std::int64_t a, std::int64_t b)
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return a > 0 && b > most / a ? most : a * b;
}

} // namespace warpline
