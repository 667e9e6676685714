#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

namespace warpline {

class TraceAnalysis;
class Trace;

/// A GPU that works for more than this share of the measured time is busy enough.
inline constexpr double busyEnough = 0.80;

/// The measured time of a run, and its description. Checklist and rules share it
/// (TraceAnalysis::measuredRange()), so that they cannot contradict each other.
struct Scope {
    TimeRange range; ///< empty: no GPU works in the window, nor before and after it
    Message basis; ///< "over 28 steady steps (step_#)", "from the first to the last GPU work"
    Message begin; ///< the event at which `range` begins: "the first kernel", "the range benchmark"
};

/// The steady steps of `window`, until the GPUs finish their launches. Without steps: the part of `window`
/// between the first and the last GPU work of the report. Where that is all of `window`, ranges narrow it: a
/// range named benchmark, or the time after compilation, set-up and warm-up. Without such ranges it begins at
/// the first of many kernels, because copies before are loaded once. A window before or after all GPU work is
/// its own scope, in which the GPU idles. `facts` are those of `window`.
Scope scopeOf(const Trace& trace, TimeRange window, TraceAnalysis& facts);

/// First to last GPU work of the whole report; empty: there is none. O(lanes).
TimeRange lifeOfGpus(const Trace& trace);

/// From the return of the first launch to its GPU work, where the work begins late: the GPU is not free.
/// `life` is lifeOfGpus() or a part of it. Empty: the work begins soon, or its launch is not recorded.
/// O(tracks + log n).
TimeRange queuedStart(const Trace& trace, TimeRange life);

} // namespace warpline
