#pragma once

#include "core/store/event_kind.h"

#include <functional>

namespace warpline {

class Trace;

/// A number of events that a room above this one works out: FLOPs of a kernel, say.
struct EventMeasure {
    /// Below 0: the event has none. Has to be fast: lists ask for each of their events.
    std::function<double(const Trace& trace, EventRef event)> of;
};

} // namespace warpline
