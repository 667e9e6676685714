#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpline {

/// Every sampleStep-th value of a long sorted column is stored again in one array, so that a search starts in
/// the processor's cache.
inline constexpr std::size_t sampleStep = 64;

/// The index of the first of sorted[first, last) that is not less than `t`; last when there is none. Gallops
/// from `first`: O(log distance).
std::size_t firstNotBefore(std::span<const Ns> sorted, std::size_t first, std::size_t last, Ns t);

/// The same for each of `times`, which ascend. `samples` holds sorted[0], sorted[64], sorted[128] and so on;
/// only sorted[first, last) needs to ascend. The searches advance together and so overlap their memory
/// accesses.
void firstNotBefore(std::span<const Ns> sorted, std::span<const Ns> samples, std::size_t first,
    std::size_t last, std::span<const Ns> times, std::span<std::uint32_t> out);

} // namespace warpline
