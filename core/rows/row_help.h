#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"

namespace warpline {

class Trace;
struct Row;

/// True where `track` holds nothing but pages of unified memory that move: nsys files them under stream 0.
/// Judged by its first and last event.
bool holdsOnlyPages(const Trace& trace, TrackRef track);

/// What `row` shows, in a sentence for somebody who sees it for the first time: the tooltip of its label.
/// Empty: the label says it.
Message rowHelp(const Trace& trace, const Row& row);

} // namespace warpline
