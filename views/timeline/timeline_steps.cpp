// Steps from event to event with the arrow keys, and back to what is selected.

#include "views/timeline/timeline_view.h"

#include <algorithm>

namespace warpline {

void TimelineView::focusCurrent()
{
    if (m_session.currentEvent().valid())
        m_session.goTo(m_session.currentEvent());
    else if (!m_session.selectedRange().empty())
        m_session.zoomToSelection();
    else
        m_session.showAll();
}

void TimelineView::stepEvent(bool forward, int heldKey)
{
    EventId event = m_session.currentEvent();
    if (!event.valid()) {
        move(forward ? Motion::Right : Motion::Left, heldKey);
        return;
    }
    const EventTable& table = m_session.trace(event.report).table(event.event.kind);
    const Lane& lane = table.lanes[table.laneIndexOf(event.event.index)];
    if (forward ? event.event.index + 1 >= lane.first + lane.count : event.event.index == lane.first)
        return;
    event.event.index += forward ? 1 : -1U;
    m_session.goToAtScale(event, false);
}

void TimelineView::stepRow(bool down)
{
    const EventId current = m_session.currentEvent();
    const std::vector<PlacedRow>& rows = m_layout.rows();
    if (!current.valid() || rows.empty())
        return;
    const PlacedRow* const at = visibleRowOf(current);
    if (!at)
        return;
    const Ns time = m_session.workspace().range(current).start;
    for (const PlacedRow* row = at + (down ? 1 : -1); row >= rows.data() && row < rows.data() + rows.size();
         row += down ? 1 : -1) {
        const Row& next = m_session.rows().row(row->row);
        if (next.tracks.empty() || next.drawing == Drawing::Summary)
            continue;
        const OpenReport& report = m_session.workspace().report(next.report);
        const EventTable& table = report.trace->table(next.tracks.front().kind);
        const Lane& lane = table.lanes[report.trace->track(next.tracks.front()).firstLane];
        const EventIndex event = std::min(
            table.firstEndingAfter(lane, report.clock.toReport(time)), lane.first + lane.count - 1);
        ensureVisible(row->row);
        m_session.setCurrentEvent({next.report, {next.tracks.front().kind, event}});
        return;
    }
}

} // namespace warpline
