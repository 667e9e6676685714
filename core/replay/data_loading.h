#pragma once

#include "core/base/ids.h"
#include "core/coverage/packed_intervals.h"

#include <span>
#include <stop_token>
#include <string_view>

namespace warpline {

class Trace;

/// True for names of NVTX ranges that load input data: "data_load", "DataLoader.__next__", "fetch_batch" ...
bool isDataLoading(std::string_view rangeName);

/// The time in which `thread` is in an NVTX range for loading data, see isDataLoading(). Concurrent loaders
/// delay nothing. O(ranges). Throws Stopped.
PackedIntervals dataLoadingTimes(const Trace& trace, GlobalId thread, const std::stop_token& stop = {});
/// The time in which any of `threads` is.
PackedIntervals dataLoadingTimes(
    const Trace& trace, std::span<const GlobalId> threads, const std::stop_token& stop = {});

} // namespace warpline
