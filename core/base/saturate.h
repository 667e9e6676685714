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

/// `value`, or 0 where it is negative: of sizes in a file, which may hold any number.
constexpr std::uint64_t naturalOf(std::int64_t value)
{
    return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}
/// The same as 31 bits, saturated.
constexpr std::int32_t natural32Of(std::int64_t value)
{
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    return value > most ? most : static_cast<std::int32_t>(naturalOf(value));
}

/// The whole part of `value`, saturated: of bytes divided by a rate, for example. NaN is 0.
constexpr std::int64_t saturatingWhole(double value)
{
    constexpr double beyond = 9'223'372'036'854'775'808.0; // 2^63
    if (value >= beyond)
        return std::numeric_limits<std::int64_t>::max();
    if (value < -beyond)
        return std::numeric_limits<std::int64_t>::min();
    return value == value ? static_cast<std::int64_t>(value) : 0;
}

} // namespace warpline
