// Where rows are: which row shows an event, and what stays in place when rows come and go.

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
    viewport()->update();
    emit scrolled();
    emit linksChanged();
}

void TimelineView::relayout()
{
    const PlacedRow* kept = m_keptY ? m_layout.rowAt(*m_keptY, offset()) : nullptr;
    if (!kept || kept->pinned) {
        const auto top = topRow();
        kept = top ? m_layout.find(top->row) : nullptr;
    }
    const bool isKnown = kept && raw(kept->row) < m_session.rows().size();
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
    verticalScrollBar()->setSingleStep(RowLayout::laneHeight);
    verticalScrollBar()->setRange(0, std::max(0, m_layout.contentHeight() - page));
}

void TimelineView::ensureVisible(RowId id)
{
    const PlacedRow* const row = m_layout.find(id);
    if (!row)
        return;
    const int page = viewport()->height() - m_layout.pinnedHeight();
    // Of a heading the rows below it are what is wanted.
    const bool isHeading = row->hasChildren && m_session.rows().row(id).drawing == Drawing::Header;
    if (row->y < offset() || (isHeading && row->y > offset() + page / 2))
        verticalScrollBar()->setValue(row->y);
    else if (row->y + row->height > offset() + page)
        verticalScrollBar()->setValue(row->y + row->height - page);
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
