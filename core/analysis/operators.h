#pragma once

#include "core/analysis/time_by_name.h"
#include "core/coverage/intervals.h"
#include "core/operators/operator_names.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

class Trace;

/// True for the domain in which PyTorch's profiler records the framework's own events.
bool isOfFramework(std::string_view domain);
/// True for cuDNN's attention, which is built again for each sequence length.
bool isCudnnAttention(std::string_view rangeName);

/// The time of `parts` by the innermost operator that was open on `thread`. O(log n) a part and depth. Throws
/// Stopped when `stop` is requested.
TimeByName operatorTimes(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop);

} // namespace warpline
