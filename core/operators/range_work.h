#pragma once

#include "core/operators/operator_rooflines.h"

#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// The work of operators' kernels on one GPU in a range.
struct RangeWork {
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal
    TimeRange range;
    WorkSums sums;
    bool hasPeaks = false; ///< the GPU's limits are known
    double memoryShare = 0; ///< of the memory's bandwidth over the range, 0..1

    double flopsPerSecond() const;
    double bytesPerSecond() const;
    double utilization() const { return sums.utilization(range.duration()); } ///< MFU, 0..1
};

/// The GPUs on which operators with known work ran in `range`. Once OperatorRooflines are known O(log n).
/// Throws Stopped.
std::vector<RangeWork> rangeWork(const Trace& trace, TimeRange range, const std::stop_token& stop = {});
/// "MFU 12.3% (121 TFLOP/s), memory 0.30 TB/s (6%)".
Message rangeWorkText(const RangeWork& work);

} // namespace warpline
