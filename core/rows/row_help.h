#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"

namespace warpline {

class Trace;
struct Row;

/// True where `track` holds only page migrations of unified memory, which nsys files under stream 0. Checks
/// its first and last event.
bool holdsOnlyPages(const Trace& trace, TrackRef track);

/// Explains `row` in a sentence: the tooltip of its label. Empty: the label is enough.
Message rowHelp(const Trace& trace, const Row& row);

} // namespace warpline
