#pragma once

#include "core/store/event_kind.h"

#include <vector>

namespace warpline {

class Trace;

/// An event that another one belongs to, and which of them comes first.
struct Partner {
    EventRef event;
    bool after = false; ///< the other event leads to this one: an arrow points here
    bool holds = false; ///< one stream waits for the other: the arrow begins at the end of the producer
};

/// The partners of `event`: the API call of work and the work of a call; what a derived event repeats, and
/// the GPU projections of a range; the record of a stream wait and the waits of a record; the work on another
/// stream that held work, and the work that it held; an operator's backward pass, and the reverse; the
/// release of an allocation, and the reverse. O(log n + waits of streams), for ranges and memory O(n).
std::vector<Partner> partnersOf(const Trace& trace, EventRef event);

} // namespace warpline
