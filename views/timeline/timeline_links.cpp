// Arrows between the current event and related ones.

#include "views/timeline/note_label.h"
#include "views/timeline/timeline_view.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t maxArrows = 64;

} // namespace

void TimelineView::onCurrentChanged(EventId id)
{
    m_note->hide();
    if (const PlacedRow* const row = id.valid() ? visibleRowOf(id) : nullptr; row && row->row == m_revealed)
        ensureLaneVisible(id, *row);
    m_revealed = {};
    describeCurrent();
}

void TimelineView::onLinksChanged()
{
    m_light.work = m_links->work();
    m_painter.setLight(m_light);
    repaintInTurn();
    emit linksChanged();
}

void TimelineView::paintArrow(QPainter& painter, const EventLink& link)
{
    const EventId current = m_session.selection().currentEvent();
    const EventId& from = link.after ? current : link.event;
    const EventId& to = link.after ? link.event : current;
    auto begin = placeOf(from);
    const auto end = placeOf(to);
    if (!begin || !end)
        return;
    if (link.holds) // the arrow begins at the producer's end
        begin->setX(
            std::clamp(axis().xAt(m_session.workspace().range(from).end), -50.0, viewport()->width() + 50.0));
    painter.setPen(QPen(m_theme->accent, 1.4, link.holds ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    QPainterPath path(*begin);
    const double bend = std::max(24.0, std::abs(end->x() - begin->x()) / 2);
    path.cubicTo(*begin + QPointF(bend, 0), *end - QPointF(bend, 0), *end);
    painter.drawPath(path);
    QPainterPath head(*end);
    head.lineTo(*end + QPointF(-7, -4));
    head.lineTo(*end + QPointF(-7, 4));
    head.closeSubpath();
    painter.fillPath(head, m_theme->accent);
    if (!link.text.isEmpty())
        paintTag(painter, tagAt(path.pointAtPercent(0.5).toPoint(), link.text), link.text);
}

void TimelineView::paintArrows(QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const std::size_t arrows
        = m_session.selection().currentEvent().valid() ? std::min(links().size(), maxArrows) : 0;
    for (std::size_t i = 0; i < arrows; ++i)
        paintArrow(painter, links()[i]);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const LinkHint& hint : linkHints())
        paintHint(painter, hint);
}

std::vector<std::pair<RowId, EventId>> TimelineView::linkedRows() const
{
    // Each row once, with the first of its events.
    std::vector<std::pair<RowId, EventId>> rows;
    if (!m_session.selection().currentEvent().valid()) // nor its related events, when another report is open
        return rows;
    for (std::size_t i = 0; i < std::min(links().size(), maxArrows); ++i) {
        const PlacedRow* const row = visibleRowOf(links()[i].event);
        if (row && std::ranges::find(rows, row->row, &std::pair<RowId, EventId>::first) == rows.end())
            rows.emplace_back(row->row, links()[i].event);
    }
    return rows;
}

} // namespace warpline
