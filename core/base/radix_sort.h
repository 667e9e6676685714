#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// Sorts `values` by their bits [lowBit, highBit), and leaves equal ones in the order they are in. Takes as
/// much memory again while it runs, and uses all processors on large input. The order is not finished when
/// `stop` is requested.
void radixSort(
    std::vector<std::uint64_t>& values, unsigned lowBit, unsigned highBit, const std::stop_token& stop = {});

} // namespace warpline
