#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpline {

/// Of a long sorted column every so many-th value is kept once more, close together: a search that begins
/// there finds its way in the processor's cache.
inline constexpr std::size_t sampleStep = 64;

/// The index of the first of sorted[first, last) that is not less than `t`; last when there is none. Steps
/// onward from `first`, ever wider: O(log distance).
std::size_t firstNotBefore(std::span<const Ns> sorted, std::size_t first, std::size_t last, Ns t);

/// The same for each of `times`, which ascend. `samples` holds sorted[0], sorted[64], sorted[128] and so on;
/// only sorted[first, last) need ascend. Many searches step together, so that they wait for memory together.
void firstNotBefore(std::span<const Ns> sorted, std::span<const Ns> samples, std::size_t first,
    std::size_t last, std::span<const Ns> times, std::span<std::uint32_t> out);

} // namespace warpline
