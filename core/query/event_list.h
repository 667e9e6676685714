#pragma once

#include "core/base/time.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

struct Process;
class Trace;

/// A number per event that a higher room computes, such as a kernel's FLOPs.
struct EventMeasure {
    /// Below 0: the event has none. Has to be fast: lists ask for each of their events.
    std::function<double(const Trace& trace, EventRef event)> of;
};

/// Sort columns of a list of events. Payload: the field EventQuery::field of NVTX payloads. Measure:
/// EventQuery::measure.
enum class EventColumn : std::uint8_t {
    Name,
    Start,
    Duration,
    Where,
    Process,
    Stream,
    Bytes,
    Kind,
    Category,
    Payload,
    Measure
};

/// Which events a list holds.
struct EventQuery {
    TimeRange window; ///< events that touch it
    std::vector<TrackRef> tracks; ///< empty: all but derived ones
    std::string text; ///< part of the name, or a filter: see FilterExpression; empty: all
    Ns minDuration = 0;
    Ns maxDuration = std::numeric_limits<Ns>::max();
    std::optional<StringId> name;
    std::optional<EventKind> kind;
    GlobalId process = 0;
    EventColumn column = EventColumn::Duration;
    StringId field{}; ///< name of the payload field to sort by, with EventColumn::Payload
    std::shared_ptr<const EventMeasure> measure; ///< to sort by, with EventColumn::Measure
    bool descending = true;
    friend bool operator==(const EventQuery&, const EventQuery&) = default;
};

/// Events of a trace in the order of a column: eight bytes per event. Ties go by kind and index, so the order
/// is total and binary search finds the place of any event.
class EventList {
public:
    EventList() = default;
    /// Collects and sorts. Incomplete, and not to be shown, when `stop` is requested on the way.
    EventList(std::shared_ptr<const Trace> trace, const EventQuery& query, const std::stop_token& stop = {});

    std::size_t size() const { return m_events.size(); }
    EventRef operator[](std::size_t row) const { return m_events[row]; }
    std::span<const EventRef> events() const { return m_events; }
    /// The row of `event`, or size() when the list does not hold it. O(log n).
    std::size_t rowOf(EventRef event) const;
    /// Sum of whole durations.
    Ns totalDuration() const { return m_total; }
    /// True when a regular expression of the query took too long: events are missing. See
    /// EventPredicate::isExhausted().
    bool gaveUpFilter() const { return m_gaveUp; }

private:
    std::int64_t keyOf(EventRef event) const;
    void collect(const EventQuery& query, const std::stop_token& stop);
    void rankNames();
    void rankAttributes(StringId field);
    void sort(const std::stop_token& stop);
    void sortByComparing();

    std::shared_ptr<const Trace> m_trace;
    EventColumn m_column = EventColumn::Duration;
    std::shared_ptr<const EventMeasure> m_measure;
    bool m_descending = true;
    std::vector<EventRef> m_events;
    /// When sorted by name: of the texts by StringId, then of the labels of kernels by the StringId of the
    /// name.
    std::vector<std::uint32_t> m_nameRank;
    std::vector<std::uint32_t> m_attributeRank; ///< by NVTX attributes, when sorted by category or payload
    Ns m_total = 0;
    bool m_gaveUp = false;
};

} // namespace warpline
