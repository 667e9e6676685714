#pragma once

#include "core/store/event_kind.h"

#include <vector>

namespace warpline {

class Trace;

/// An event that another one belongs to, and which of them comes first.
struct Partner {
    EventRef event;
    bool after = false; ///< the other event leads to this one: an arrow points here
    bool holds = false; ///< one stream waits for the other: the arrow begins at the end of what is waited for
};

/// What belongs to `event`: the API call behind work and the work behind a call; what a derived event says
/// once more, and the NVTX ranges on the GPU that show a range; the record behind a stream's wait and the
/// waits behind a record; the work on another stream that work waits for, and what waits for it, where that
/// held it; an operator's backward pass and the operator behind one; the release of what is allocated and the
/// allocation behind a release. O(log n + waits of streams), of ranges and memory O(n).
std::vector<Partner> partnersOf(const Trace& trace, EventRef event);

} // namespace warpline
