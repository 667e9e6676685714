#pragma once

#include "core/base/time.h"

namespace warpline {

class Trace;

/// From the start of the first to the end of the last kernel, copy, set or graph; empty: there is none.
/// O(lanes).
TimeRange gpuWorkSpan(const Trace& trace);

/// The same without sparse edges: at most a hundredth of the time of kernels and graphs lies before it, and
/// as much after it. Without kernels and graphs all GPU work. Accurate to a two-hundredth of the span.
/// O(lanes log n).
TimeRange mainGpuSpan(const Trace& trace);

} // namespace warpline
