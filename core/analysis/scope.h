#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

namespace warpline {

class TraceAnalysis;
class Trace;

/// A GPU is busy enough that works for more than this share of the judged time.
inline constexpr double busyEnough = 0.80;

/// The time that judgements of a run are about, and what that is in words. The checklist and the rules take
/// it from here (TraceAnalysis::measuredRange()), so that they cannot contradict one another.
struct Scope {
    TimeRange range; ///< empty: no GPU works in the window, nor before and after it
    Message basis; ///< "over 28 steady steps (step_#)", "from the first to the last GPU work"
    Message begin; ///< what `range` begins with: "the first kernel", "the range benchmark"
};

/// The steady steps of `window` until the GPUs are done with what they launched. Without steps the part of
/// `window` between the first and the last GPU work of the report; where that is all of it, only what the
/// program's own ranges name: one called benchmark, or what comes after compilation, set-up and warm-up; and
/// without such ranges from the first kernel on where there are many, since what is copied before them is
/// loaded once. Where a window lies before or after all of that, the window itself: in it the GPU idles.
/// `facts` are those of `window`.
Scope scopeOf(const Trace& trace, TimeRange window, TraceAnalysis& facts);

/// First to last GPU work of the whole report; empty: there is none. O(lanes).
TimeRange lifeOfGpus(const Trace& trace);

/// From the end of the call that launched the first GPU work to that work, where it takes long to begin: the
/// host is done, the GPU is not free. `life` is lifeOfGpus() or a part of it. Empty: it begins soon after its
/// launch, or nothing says when it was launched. O(tracks + log n).
TimeRange queuedStart(const Trace& trace, TimeRange life);

} // namespace warpline
