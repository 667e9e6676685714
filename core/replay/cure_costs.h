#pragma once

#include "core/base/time.h"
#include "core/replay/cure.h"

#include <cstddef>

namespace warpline {

/// What things cost that a recording without them cannot show. docs/whatif.md has the sources.
namespace cost {

/// A length that lies between two others.
struct Range {
    Ns low;
    Ns expected;
    Ns high;
};

/// cudaMallocAsync and cudaFreeAsync of a pool that has grown.
inline constexpr Range pooledCall{1'000, 2'000, 5'000};
/// A copy from pinned memory that does not block, where the recording has none.
inline constexpr Range copyCall{3'000, 6'000, 12'000};
/// The launch of a CUDA graph: the call, and each node of it.
inline constexpr Range graphCall{2'500, 2'500, 10'000};
inline constexpr Range graphNode{1, 200, 300};
/// Between two nodes of a graph that follow one another.
inline constexpr Range nodeGap{0, 150, 300};
/// A page fault on the host whose page has to come from a GPU, with the copy.
inline constexpr Range hostPageFault{20'000, 35'000, 50'000};
/// What the code around a call takes at most, and may go with it: a wrapper in Python.
inline constexpr Ns maxWrapper = 20'000;
/// Bytes a second between host and GPU, where no large copy shows the rate.
inline constexpr double linkRate = 25e9;

} // namespace cost

} // namespace warpline
