#include "core/workspace/events_of_reports.h"

#include "core/base/stop.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// The sort key for comparing events of different reports; none for columns that are only meaningful within a
/// report.
std::int64_t numberOf(const EventsPart& part, EventRef event, EventColumn column)
{
    const EventTable& table = part.trace->table(event.kind);
    switch (column) {
    case EventColumn::Start:
        return part.clock.toWorkspace(table.start[event.index]);
    case EventColumn::Duration:
        return table.duration[event.index];
    case EventColumn::Stream:
        return table.trackOf(event.index).stream;
    case EventColumn::Bytes:
        return table.bytes.empty() ? -1 : static_cast<std::int64_t>(table.bytes[event.index]);
    case EventColumn::Kind:
        return static_cast<std::int64_t>(indexOf(event.kind));
    case EventColumn::Name:
    case EventColumn::Where:
    case EventColumn::Process:
    case EventColumn::Category:
    case EventColumn::Payload:
    case EventColumn::Measure:
        break;
    }
    return 0;
}

} // namespace

template <typename Before> void EventsOfReports::merge(Before before, const std::stop_token& stop)
{
    std::size_t count = 0;
    for (const EventsPart& part : m_parts) {
        count += part.list->size();
        m_rows.emplace_back(part.list->size());
    }
    m_order.reserve(count);
    std::vector<Place> heads; // a heap of the next event of each part
    const auto comesLater = [&](Place a, Place b) {
        if (before(b, a))
            return true;
        return !before(a, b) && a.part > b.part;
    };
    for (std::uint32_t part = 0; part < m_parts.size(); ++part) {
        if (m_parts[part].list->size() > 0)
            heads.push_back({part, 0});
    }
    std::ranges::make_heap(heads, comesLater);
    while (!heads.empty()) {
        if (m_order.size() % stepsBetweenStops == 0 && stop.stop_requested())
            return;
        std::ranges::pop_heap(heads, comesLater);
        Place& next = heads.back();
        m_rows[next.part][next.row] = static_cast<std::uint32_t>(m_order.size());
        m_order.push_back(next);
        if (++next.row < m_parts[next.part].list->size())
            std::ranges::push_heap(heads, comesLater);
        else
            heads.pop_back();
    }
}

EventsOfReports::EventsOfReports(
    std::vector<EventsPart> parts, EventColumn column, bool descending, const std::stop_token& stop)
    : m_parts(std::move(parts))
{
    if (m_parts.size() < 2)
        return;
    const auto eventAt = [&](Place place) { return (*m_parts[place.part].list)[place.row]; };
    if (column == EventColumn::Name) {
        const auto nameAt
            = [&](Place place) { return m_parts[place.part].trace->displayName(eventAt(place)); };
        merge([&](Place a, Place b) { return descending ? nameAt(b) < nameAt(a) : nameAt(a) < nameAt(b); },
            stop);
        return;
    }
    const auto numberAt = [&](Place place) { return numberOf(m_parts[place.part], eventAt(place), column); };
    merge(
        [&](Place a, Place b) { return descending ? numberAt(b) < numberAt(a) : numberAt(a) < numberAt(b); },
        stop);
}

std::size_t EventsOfReports::size() const
{
    return m_parts.size() == 1 ? m_parts.front().list->size() : m_order.size();
}

EventId EventsOfReports::operator[](std::size_t row) const
{
    if (m_parts.size() == 1)
        return {m_parts.front().report, (*m_parts.front().list)[row]};
    const Place place = m_order[row];
    return {m_parts[place.part].report, (*m_parts[place.part].list)[place.row]};
}

std::size_t EventsOfReports::rowOf(EventId event) const
{
    const auto part = std::ranges::find(m_parts, event.report, &EventsPart::report);
    if (part == m_parts.end())
        return size();
    const std::size_t own = part->list->rowOf(event.event);
    if (own >= part->list->size())
        return size();
    return m_parts.size() == 1 ? own : m_rows[static_cast<std::size_t>(part - m_parts.begin())][own];
}

Ns EventsOfReports::totalDuration() const
{
    Ns total = 0;
    for (const EventsPart& part : m_parts)
        total += part.list->totalDuration();
    return total;
}

} // namespace warpline
