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

void TimelineView::stepEvent(bool forward)
{
    EventRef event = m_session.currentEvent();
    if (!event.valid())
        return;
    const EventTable& table = m_session.trace().table(event.kind);
    const Lane& lane = table.lanes[table.laneIndexOf(event.index)];
    if (forward ? event.index + 1 >= lane.first + lane.count : event.index == lane.first)
        return;
    event.index += forward ? 1 : -1U;
    m_session.setCurrentEvent(event);
    // Keep it in view, without changing the scale.
    const TimeRange range = table.range(event.index);
    const TimeRange shown = m_session.shown();
    if (range.start < shown.start || range.end > shown.end) {
        const Ns middle = range.start + std::min(range.duration(), shown.duration()) / 2;
        m_session.show(
            {middle - shown.duration() / 2, middle - shown.duration() / 2 + shown.duration()}, false);
    }
}

void TimelineView::stepRow(bool down)
{
    const EventRef current = m_session.currentEvent();
    const std::vector<PlacedRow>& rows = m_layout.rows();
    if (!current.valid() || rows.empty())
        return;
    const PlacedRow* const at = visibleRowOf(m_session.trace().trackOf(current));
    if (!at)
        return;
    const Ns time = m_session.trace().range(current).start;
    for (const PlacedRow* row = at + (down ? 1 : -1); row >= rows.data() && row < rows.data() + rows.size();
         row += down ? 1 : -1) {
        const Row& next = m_session.rows().row(row->row);
        if (next.tracks.empty() || next.drawing == Drawing::Summary)
            continue;
        const EventTable& table = m_session.trace().table(next.tracks.front().kind);
        const Lane& lane = table.lanes[m_session.trace().track(next.tracks.front()).firstLane];
        const EventIndex event = std::min(table.firstEndingAfter(lane, time), lane.first + lane.count - 1);
        ensureVisible(row->row);
        m_session.setCurrentEvent({next.tracks.front().kind, event});
        return;
    }
}

} // namespace warpline
