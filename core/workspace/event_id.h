#pragma once

#include "core/base/report_id.h"
#include "core/store/event_kind.h"

namespace warpline {

/// An event of one of the open reports. A type of its own, so that an EventRef, which is of a trace that both
/// sides know, never passes for one by accident.
struct EventId {
    ReportId report{};
    EventRef event;

    constexpr bool valid() const { return event.valid(); }
    friend constexpr bool operator==(const EventId&, const EventId&) = default;
    friend constexpr auto operator<=>(const EventId&, const EventId&) = default;
};

} // namespace warpline
