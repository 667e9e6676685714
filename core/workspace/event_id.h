#pragma once

#include "core/base/report_id.h"
#include "core/store/event_kind.h"

namespace warpline {

/// An event of one of the open reports. Its own type, so that an EventRef, which is only valid with its
/// trace, cannot be used by mistake.
struct EventId {
    ReportId report{};
    EventRef event;

    constexpr bool valid() const { return event.valid(); }
    friend constexpr bool operator==(const EventId&, const EventId&) = default;
    friend constexpr auto operator<=>(const EventId&, const EventId&) = default;
};

} // namespace warpline
