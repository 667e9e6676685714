#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// Rates of an exchange between GPUs in GB/s as nccl-tests counts them; 0: not known.
struct CollectiveBandwidth {
    double algorithm = 0; ///< all that is exchanged, by the time
    double bus = 0; ///< bus bandwidth, which compares to a link's bandwidth
    /// Where the number of ranks n is not known, bus / (n - 1) of an all-gather or reduce-scatter: its
    /// message by the time.
    double busOfOne = 0;
};

/// The bandwidths of `operation` ("all-gather", as in KernelCommunication) with a message of `bytes`, as NCCL
/// counts them, that takes `time` between `ranks`; `ranks` of at most 1: unknown. NCCL counts one rank's
/// bytes for all-gather and reduce-scatter, so these count n times. The bus carries 2 (n - 1) / n of an
/// all-reduce, (n - 1) / n of an all-gather, reduce-scatter and all-to-all, and all of the others.
CollectiveBandwidth collectiveBandwidth(
    std::string_view operation, std::int64_t bytes, std::int64_t ranks, Ns time);

} // namespace warpline
