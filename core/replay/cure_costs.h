#pragma once

#include "core/replay/cure.h"

#include <cstddef>

namespace warpline {

/// Costs that a recording does not show. docs/whatif.md has the sources.
namespace cost {

/// cudaMallocAsync and cudaFreeAsync of a pool that has grown.
inline constexpr ExpectedTime pooledCall{1'000, 2'000, 5'000};
/// A copy from pinned memory that does not block, where the recording has none.
inline constexpr ExpectedTime copyCall{3'000, 6'000, 12'000};
/// The launch of a CUDA graph (ns): the call, and each node.
inline constexpr ExpectedTime graphCall{2'500, 2'500, 10'000};
inline constexpr ExpectedTime graphNode{1, 200, 300};
/// Gap between consecutive nodes of a graph (ns).
inline constexpr ExpectedTime nodeGap{0, 150, 300};
/// A page fault on the host whose page comes from a GPU, with the copy (ns).
inline constexpr ExpectedTime hostPageFault{20'000, 35'000, 50'000};
/// Upper bound of the code around a call that can be removed with it, such as a wrapper in Python (ns).
inline constexpr Ns maxWrapper = 20'000;
/// Bytes a second between host and GPU, where no large copy shows the rate.
inline constexpr double linkRate = 25e9;
/// More than any recording takes (ns): a report may state any number of bytes.
inline constexpr double longest = 1e17;

} // namespace cost

} // namespace warpline
