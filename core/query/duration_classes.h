#pragma once

#include "core/base/saturate.h"
#include "core/base/time.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace warpline {

/// Histogram classes of durations: each nanosecond below 131,072, then 1,024 per doubling. Frequent events
/// are shorter than that, so that counting gives exact statistics.
inline constexpr unsigned classBits = 10; ///< of longer ones
inline constexpr unsigned exactBits = 17;
inline constexpr std::size_t exactClasses = std::size_t{1} << exactBits;
inline constexpr std::size_t durationClasses = exactClasses + (std::size_t{64 - exactBits} << classBits);

/// The class of `duration`; a negative one counts as 0.
inline std::size_t classOf(Ns duration)
{
    const std::uint64_t value = naturalOf(duration);
    if (value < exactClasses) [[likely]]
        return static_cast<std::size_t>(value);
    const auto doublings = static_cast<unsigned>(std::bit_width(value)) - 1 - exactBits;
    const auto part = static_cast<std::size_t>(value >> (doublings + exactBits - classBits));
    return exactClasses + (std::size_t{doublings} << classBits) + part - (std::size_t{1} << classBits);
}

/// The shortest duration of a class, and how many different ones it holds.
inline std::pair<Ns, std::uint64_t> extentOf(std::size_t index)
{
    if (index < exactClasses)
        return {static_cast<Ns>(index), 1};
    const std::size_t above = index - exactClasses;
    const unsigned shift = static_cast<unsigned>(above >> classBits) + exactBits - classBits;
    const std::uint64_t part = (above & ((std::size_t{1} << classBits) - 1)) + (std::size_t{1} << classBits);
    return {static_cast<Ns>(part << shift), std::uint64_t{1} << shift};
}

} // namespace warpline
