#pragma once

#include "core/base/ids.h"

#include <vector>

namespace warpline {

class Trace;

/// How a range belongs to an operator of PyTorch by autograd.
struct BackwardPass {
    EventIndex forward = noIndex; ///< of kind Nvtx: the operator itself; noIndex: it has no backward pass
    std::vector<EventIndex> backward; ///< the operators of its backward pass, by their start
};

/// The backward pass that contains range `range` (of kind Nvtx), as its forward or backward part. PyTorch's
/// profiler joins them by one number in the correlation column ("fwdbwd"), of which the first range is the
/// forward one. Other recorders have none. O(ranges).
BackwardPass backwardPassOf(const Trace& trace, EventIndex range);

/// For each range the operator whose backward pass contains it; noIndex: none. Empty where no operators are
/// joined. O(n log n) in the joined ranges.
std::vector<EventIndex> forwardOperators(const Trace& trace);

} // namespace warpline
