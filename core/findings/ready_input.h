#pragma once

#include "core/coverage/packed_intervals.h"
#include "core/store/trace.h"

#include <stop_token>

namespace warpline {

/// When any thread of `process` is in an NVTX range that is named after loading data, see isDataLoading().
/// O(ranges). Throws Stopped.
PackedIntervals dataLoadingTimes(const Trace& trace, GlobalId process, const std::stop_token& stop = {});

} // namespace warpline
