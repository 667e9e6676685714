#pragma once

#include "core/store/event_kind.h"
#include "core/timetree/time_tree.h"

namespace warpline {

class Trace;

/// The node of the stack of `event` below `node`: its functions, outermost first. Functions without a symbol
/// go by their module.
std::uint32_t stackBelow(const Trace& trace, EventRef event, std::uint32_t node, TimeTree& tree);

} // namespace warpline
