#pragma once

#include "core/query/event_list.h"
#include "core/workspace/clock_offset.h"
#include "core/workspace/event_id.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

/// The events of one report in such a list.
struct EventsPart {
    ReportId report{};
    std::shared_ptr<const Trace> trace;
    ClockOffset clock;
    std::shared_ptr<const EventList> list; ///< in the order of the column of all parts
};

/// Events of several reports in one order: merged by name, start (on the common clock), duration, stream,
/// bytes or kind; for columns that are only meaningful within a report, one report after another. For a
/// single report it is its list, without cost; for several twelve bytes per event.
class EventsOfReports {
public:
    EventsOfReports() = default;
    /// Incomplete, and not to be shown, when `stop` is requested on the way. O(n log parts).
    EventsOfReports(
        std::vector<EventsPart> parts, EventColumn column, bool descending, const std::stop_token& stop = {});

    std::size_t size() const;
    EventId operator[](std::size_t row) const;
    /// The row of `event`, or size() when the list does not hold it. O(log n).
    std::size_t rowOf(EventId event) const;
    /// Sum of whole durations.
    Ns totalDuration() const;
    const std::vector<EventsPart>& parts() const { return m_parts; }

private:
    struct Place {
        std::uint32_t part = 0;
        std::uint32_t row = 0; ///< in the part's list
    };
    template <typename Before> void merge(Before before, const std::stop_token& stop);

    std::vector<EventsPart> m_parts;
    std::vector<Place> m_order; ///< empty with a single part
    std::vector<std::vector<std::uint32_t>> m_rows; ///< of each part the rows of its events; as above
};

} // namespace warpline
