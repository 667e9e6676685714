#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

/// The longest common subsequence of two sequences: pairs of places with equal symbols, ascending in both.
/// For very long ones (more than `mostCells` comparisons) the common beginning and end, and of the rest as
/// much as fits. O(n m).
std::vector<std::pair<std::size_t, std::size_t>> commonOrder(
    std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t mostCells = 16'000'000);

} // namespace warpline
