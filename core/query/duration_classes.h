#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace warpline {

/// Classes of durations: each nanosecond below 2,048, from there on 1,024 for each doubling.
inline constexpr unsigned classBits = 10;
inline constexpr std::size_t durationClasses = (64 - classBits) << classBits;

/// The class of `duration`; a negative one counts as 0.
inline std::size_t classOf(Ns duration)
{
    const auto value = static_cast<std::uint64_t>(std::max<Ns>(0, duration));
    const auto width = static_cast<unsigned>(std::bit_width(value));
    if (width <= classBits + 1)
        return static_cast<std::size_t>(value);
    const unsigned shift = width - classBits - 1;
    return (std::size_t{shift} << classBits) + static_cast<std::size_t>(value >> shift);
}

/// The shortest duration of a class, and how many different ones it holds.
inline std::pair<Ns, std::uint64_t> extentOf(std::size_t index)
{
    if (index < (std::size_t{2} << classBits))
        return {static_cast<Ns>(index), 1};
    const auto shift = static_cast<unsigned>(index >> classBits) - 1;
    const std::uint64_t top = index - (std::size_t{shift} << classBits);
    return {static_cast<Ns>(top << shift), std::uint64_t{1} << shift};
}

} // namespace warpline
