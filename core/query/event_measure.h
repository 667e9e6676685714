#pragma once

#include "core/store/event_kind.h"

#include <functional>

namespace warpline {

class Trace;

/// A number per event that a higher room computes, such as a kernel's FLOPs.
struct EventMeasure {
    /// Below 0: the event has none. Has to be fast: lists ask for each of their events.
    std::function<double(const Trace& trace, EventRef event)> of;
};

} // namespace warpline
