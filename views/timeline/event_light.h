#pragma once

#include "core/workspace/event_id.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Which events stand out because of the hovered or selected one. Defined by properties, not by a list: a
/// comparison per drawn piece.
struct EventLight {
    /// Events of this kind and name are edged.
    struct Name {
        EventKind kind = EventKind::Kernel;
        std::string name;
        bool operator==(const Name&) const = default;
    };
    std::optional<Name> name;

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
