#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <stop_token>

namespace warpline {

class TraceAnalysis;
class Trace;

/// What elementwise kernels (arithmetic, activations, copies and casts, one launch an operation)
/// take of the kernels' time in `window`, and what fusing them could save at most: neighbours on a stream
/// that belong to one step become one kernel, which takes as long as the shortest of them at least.
/// Sentences; empty: they take less than a fifth of that time or a fiftieth of `window`, are few, or nothing
/// is recognized as such, see isElementwise(). Kernels that communicate are no part of the kernels' time.
/// O(kernels in `window` times log of the steps + text of their names). Throws Stopped when `stop` is
/// requested.
Message textOfElementwise(
    const Trace& trace, TraceAnalysis& facts, TimeRange window, const std::stop_token& stop);

} // namespace warpline
