#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;
class TraceAnalysis;

/// Consecutive elementwise kernels on a stream within one step, which one kernel could replace.
struct ElementwiseRow {
    std::vector<EventIndex> kernels; ///< at least two; without kernels that fill memory
    Ns sum = 0;
    Ns shortest = 0; ///< one kernel for all reads and writes no less than the one that moves least

    Ns saved() const { return sum - shortest; }
};

/// Kernels that go through arrays element by element, a launch for each operation.
struct ElementwiseKernels {
    Ns kernels = 0; ///< time of all kernels that compute
    Ns time = 0; ///< of those that are elementwise
    std::uint64_t launches = 0; ///< of those
    std::uint64_t following = 0; ///< launches that directly follow another one of these
    bool byGraph = false; ///< some are nodes of a CUDA graph, which no launch of their own starts
    std::vector<ElementwiseRow> rows;

    /// Upper bound of the GPU time that fusing each row to one kernel saves.
    Ns saved() const;
};

/// Those of `process` on its GPU `device` in `window`; process 0: of all. O(kernels times log of the steps).
/// Throws Stopped.
ElementwiseKernels elementwiseKernels(const Trace& trace, TraceAnalysis& facts, TimeRange window,
    const std::stop_token& stop, GlobalId process = 0, std::int32_t device = -1);

} // namespace warpline
