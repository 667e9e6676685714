#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// Sorts `values` by their bits [lowBit, highBit); stable. Needs as much memory again, and uses all
/// processors on large input. Leaves `values` partly sorted when `stop` is requested.
void radixSort(
    std::vector<std::uint64_t>& values, unsigned lowBit, unsigned highBit, const std::stop_token& stop = {});

} // namespace warpline
