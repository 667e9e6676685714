#pragma once

#include "core/workspace/event_id.h"
#include "views/session/selection.h"

#include <optional>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Which events stand out because of the hovered or selected one. Defined by properties, not by a list: a
/// comparison per drawn piece.
struct EventLight {
    std::optional<NameOfKind> name; ///< its events are edged

    /// The calls inside an NVTX range, and the work that they started; other calls and other GPU work steps
    /// back. Calls are runs of indexes [first, second), ascending.
    struct Work {
        ReportId report{};
        std::vector<std::pair<EventIndex, EventIndex>> calls;

        /// Whether `event` steps back.
        bool dims(const Trace& trace, EventRef event) const;
        bool operator==(const Work&) const = default;
    };
    std::optional<Work> work;
};

/// The calls of the thread of NVTX range `range` that start inside it. O(log n). Nothing for a range on the
/// GPU and for one without calls.
std::optional<EventLight::Work> workInside(const Trace& trace, ReportId report, EventIndex range);

} // namespace warpline
