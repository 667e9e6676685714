#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <stop_token>

namespace warpline {

class TraceAnalysis;
class Trace;

/// The share of elementwise kernels (arithmetic, activations, copies and casts, one launch per operation) in
/// the kernels' time of `window`, and the potential saving of fusing them. Neighbours on a stream within one
/// step become one kernel, which takes at least as long as the shortest of them. Empty: they take less than a
/// fifth of that time or a fiftieth of `window`, are few, or none is recognized by isElementwise(). Kernels
/// that communicate do not count. O(kernels in `window` times log of the steps + text of their names). Throws
/// Stopped when `stop` is requested.
Message textOfElementwise(
    const Trace& trace, TraceAnalysis& facts, TimeRange window, const std::stop_token& stop);

} // namespace warpline
