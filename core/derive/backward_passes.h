#pragma once

#include "core/base/ids.h"

#include <vector>

namespace warpline {

class Trace;

/// What belongs to an operator of PyTorch by way of autograd.
struct BackwardPass {
    EventIndex forward = noIndex; ///< of kind Nvtx: the operator itself; noIndex: it has no backward pass
    std::vector<EventIndex> backward; ///< the operators of its backward pass, by their start
};

/// The backward pass that range `range` (of kind Nvtx) is part of, be it forward or backward. They share a
/// number in the correlation column of the ranges, as the trace of PyTorch's profiler joins them ("fwdbwd");
/// the first of them is the forward one. Traces of others have none. O(ranges).
BackwardPass backwardPassOf(const Trace& trace, EventIndex range);

/// By range the operator that it is of the backward pass of; noIndex: of none. Empty where no operators are
/// joined. O(n log n) in those that are.
std::vector<EventIndex> forwardOperators(const Trace& trace);

} // namespace warpline
