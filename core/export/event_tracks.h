#pragma once

#include "core/export/event_export.h"

#include <functional>

namespace warpline {

/// The event kinds that `asked` exports.
std::vector<EventKind> kindsOf(const EventExport& asked);

/// Calls visit(event) for each event of `track` that touches the window of `asked` (empty: each), in the
/// table's order, until it returns false; then so does this.
bool visitTrack(const Trace& trace, TrackRef track, const EventExport& asked,
    const std::function<bool(EventIndex)>& visit);

} // namespace warpline
