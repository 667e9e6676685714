// Positions of rows: which row shows an event, and what stays in place when rows come and go.

#include "core/store/trace.h"
#include "views/style/text_scale.h"
#include "views/timeline/row_glide.h"
#include "views/timeline/timeline_view.h"

#include <QScrollBar>

#include <algorithm>

namespace warpline {

namespace {

quint64 trackKey(ReportId report, TrackRef ref)
{
    return static_cast<quint64>(raw(report)) << 40U | static_cast<quint64>(indexOf(ref.kind)) << 32U
        | ref.track;
}

} // namespace

void TimelineView::indexRows()
{
    m_rowOfTrack.clear();
    const RowTree& rows = m_session.rows();
    for (std::uint32_t i = 1; i < rows.size(); ++i) {
        const Row& row = rows.row(RowId{i});
        if (row.drawing != Drawing::Slices && row.drawing != Drawing::Marks)
            continue;
        for (const TrackRef& ref : row.tracks)
            m_rowOfTrack.insert(trackKey(row.report, ref), row.id);
    }
}

void TimelineView::placeRows()
{
    m_layout.rebuild(m_session);
    updateScrollBar();
    repaintInTurn();
    emit scrolled();
    emit linksChanged();
}

void TimelineView::relayout()
{
    forgetHover();
    m_rowGlide->finish(); // places are of the rows as they were
    m_nearest = {};
    const PlacedRow* kept = m_keptY ? m_layout.rowAt(*m_keptY, offset()) : nullptr;
    if (!kept || kept->pinned) {
        const auto top = topRow();
        kept = top ? m_layout.find(top->row) : nullptr;
    }
    // At the top new rows above are shown: exchanges of ranks are known later than rows.
    const bool isAtTop = offset() == 0 && !m_keptY;
    const bool isKnown = !isAtTop && kept && raw(kept->row) < m_session.rows().size();
    RowId row = isKnown ? kept->row : RowTree::root;
    const int beyond = isKnown ? m_layout.screenY(*kept, offset()) - m_layout.pinnedHeight() : 0;
    placeRows();
    // Folded away, its place is that of the row it is folded into.
    while (row != RowTree::root && !m_layout.find(row))
        row = m_session.rows().row(row).parent;
    if (row != RowTree::root)
        verticalScrollBar()->setValue(m_layout.find(row)->y - beyond);
}

void TimelineView::updateScrollBar()
{
    const int page = viewport()->height() - m_layout.pinnedHeight();
    verticalScrollBar()->setPageStep(std::max(1, page));
    verticalScrollBar()->setSingleStep(inTextSize(RowLayout::laneHeight));
    verticalScrollBar()->setRange(0, std::max(0, m_layout.contentHeight() - page));
}

void TimelineView::ensureVisible(RowId id)
{
    const PlacedRow* const row = m_layout.find(id);
    if (!row)
        return;
    const int page = viewport()->height() - m_layout.pinnedHeight();
    // For a heading its rows below are shown.
    const bool isHeading = row->hasChildren && m_session.rows().row(id).drawing == Drawing::Header;
    if (isHeading && row->y > m_rowGlide->target() + page / 2)
        m_rowGlide->moveTo(row->y);
    else
        scrollIntoView(row->y, row->y + row->height);
}

void TimelineView::scrollIntoView(int top, int bottom)
{
    const int page = viewport()->height() - m_layout.pinnedHeight();
    const int at = m_rowGlide->target();
    if (top < at)
        m_rowGlide->moveTo(top);
    else if (bottom > at + page)
        m_rowGlide->moveTo(std::min(top, bottom - page));
}

void TimelineView::onRevealed(RowId row)
{
    m_revealed = row;
    const PlacedRow* const placed = m_layout.find(row);
    if (!placed)
        return;
    // For a row higher than the view the event's lane counts.
    const int page = viewport()->height() - m_layout.pinnedHeight();
    const int at = m_rowGlide->target();
    const bool isSeen = placed->y < at + page && placed->y + placed->height > at;
    if (placed->height <= page || !isSeen)
        ensureVisible(row);
    const EventId current = m_session.selection().currentEvent();
    if (current.valid() && visibleRowOf(current) == placed)
        ensureLaneVisible(current, *placed);
}

QRect TimelineView::laneOf(EventId event, const PlacedRow& placed) const
{
    const Row& row = m_session.rows().row(placed.row);
    const QRect area(0, m_layout.screenY(placed, offset()), viewport()->width(), placed.height);
    const Trace& trace = m_session.trace(event.report);
    const bool nested = row.drawing == Drawing::Slices && !m_session.workspace().isOfAll(row.id)
        && std::ranges::find(row.tracks, trace.trackOf(event.event)) != row.tracks.end();
    return nested
        ? RowLanes::of(m_session, row)
              .area(area, static_cast<int>(trace.table(event.event.kind).depthOf(event.event.index)))
        : area;
}

void TimelineView::ensureLaneVisible(EventId event, const PlacedRow& placed)
{
    if (placed.pinned)
        return;
    constexpr int margin = 2;
    const QRect lane = laneOf(event, placed);
    const int top = placed.y + lane.top() - m_layout.screenY(placed, offset());
    scrollIntoView(
        std::max(placed.y, top - margin), std::min(placed.y + placed.height, top + lane.height() + margin));
}

const PlacedRow* TimelineView::visibleRowOf(EventId event) const
{
    const TrackRef track = m_session.trace(event.report).trackOf(event.event);
    RowId row = m_rowOfTrack.value(trackKey(event.report, track), RowTree::root);
    while (row != RowTree::root) {
        if (const PlacedRow* const placed = m_layout.find(row))
            return placed;
        row = m_session.rows().row(row).parent;
    }
    return nullptr;
}

} // namespace warpline
