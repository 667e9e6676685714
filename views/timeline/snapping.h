#pragma once

#include "views/session/session.h"

#include <optional>

namespace warpline {

/// A start or an end of an event, which a selection holds on to.
struct Snap {
    Ns time = 0; ///< of the event itself, on the workspace's clock: exact, whatever a pixel shows
    EventId event;
    bool isStart = false;
};

/// The start or end of an event of `row` nearest to `time` on the workspace's clock, within `reach`; nothing
/// where there is none. Prefers starts. O(lanes log events).
std::optional<Snap> nearestEdge(const Workspace& workspace, const Row& row, Ns time, Ns reach);

} // namespace warpline
