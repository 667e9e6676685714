// Hovering: the name under the mouse is highlighted on all rows, and a tooltip shows details.

#include "core/store/trace.h"
#include "views/session/exchange_text.h"
#include "views/style/rich_text.h"
#include "views/timeline/hover_tip.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/tooltip.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr double narrow = 2; ///< pixels; narrower events share a tooltip for the place

} // namespace

void TimelineView::hover(QPoint position)
{
    const Drag mode = dragModeAt(position, Qt::LeftButton, {});
    const std::optional<LinkHint> hint = hintAt(position);
    viewport()->setCursor(mode == Drag::LeftEdge || mode == Drag::RightEdge ? Qt::SizeHorCursor
            : hint                                                          ? Qt::PointingHandCursor
                                                                            : Qt::ArrowCursor);
    if (hint) { // it lies on the events
        forgetHover();
        m_tip->tell(hint->text.toHtmlEscaped(), viewport()->mapToGlobal(position),
            QRect(viewport()->mapToGlobal(hint->place.topLeft()), hint->place.size()));
        return;
    }
    const Hit hit = hitAt(position);
    const int x = hit.event.valid() && isDense(hit, position) ? position.x() : noPixel;
    if (hit.event == m_hovered && x == m_hoveredPixel && hit.event.valid())
        return;
    m_hovered = hit.event;
    m_hoveredPixel = x;
    m_hoverLinks.clear();
    m_light.name.reset();
    if (hit.event.valid()) {
        const Trace& trace = m_session.trace(hit.event.report);
        m_hoverLinks = nearLinks(trace, hit.event);
        m_light.name = {hit.event.event.kind, std::string(trace.name(hit.event.event))};
    }
    m_painter.setLight(m_light);
    showTip(hit, position);
}

void TimelineView::forgetHover()
{
    m_hovered = {};
    m_hoveredPixel = noPixel;
    m_hoverLinks.clear();
    m_light.name.reset();
    m_painter.setLight(m_light);
    m_tip->hide();
}

void TimelineView::paintCurvePoint(QPainter& painter)
{
    const PlacedRow* const placed = m_cursorX && m_keptY ? m_layout.rowAt(*m_keptY, offset()) : nullptr;
    if (!placed || m_drag != Drag::None)
        return;
    constexpr double radius = 3.5;
    const QRect area(0, m_layout.screenY(*placed, offset()), viewport()->width(), placed->height);
    const auto point = m_painter.curvePointAt(
        m_session.rows().row(placed->row), area, *m_cursorX + 0.5, axis().timeAt(*m_cursorX));
    if (!point)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->background, 1.5));
    painter.setBrush(m_theme->text);
    painter.drawEllipse(*point, radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

bool TimelineView::isDense(const Hit& hit, QPoint position) const
{
    const TimeAxis timeAxis = axis();
    const TimeRange range = m_session.workspace().range(hit.event);
    if (static_cast<double>(range.duration()) >= narrow * timeAxis.nsPerPixel())
        return false;
    return placeAt(hit, position).count > 1;
}

DensePlace TimelineView::placeAt(const Hit& hit, QPoint position) const
{
    const TimeAxis timeAxis = axis();
    const Row& row = m_session.rows().row(hit.row);
    const OpenReport& report = m_session.workspace().report(row.report);
    const Ns start = report.clock.toReport(timeAxis.timeAt(position.x()));
    const Ns end = report.clock.toReport(timeAxis.timeAt(position.x() + 1));
    const bool nested = row.drawing == Drawing::Slices;
    const std::size_t depth
        = nested ? report.trace->table(hit.event.event.kind).depthOf(hit.event.event.index) : allLanes;
    return densePlace(*report.trace, row, depth, {start, std::max(start + 1, end)});
}

QRect TimelineView::subjectOf(const Hit& hit, QPoint position) const
{
    // The lane under the mouse: the tooltip must not cover it near the mouse.
    const PlacedRow* const placed = m_layout.rowAt(position.y(), offset());
    if (!placed)
        return {position, QSize(1, 1)};
    const QRect lane = hit.event.valid()
        ? laneOf(hit.event, *placed)
        : QRect(0, m_layout.screenY(*placed, offset()), viewport()->width(), placed->height);
    return lane.intersected(viewport()->rect());
}

void TimelineView::showTip(const Hit& hit, QPoint position)
{
    const Row& row = m_session.rows().row(hit.row);
    QString text;
    if (hit.event.valid() && m_hoveredPixel != noPixel) {
        const DensePlace place = placeAt(hit, position);
        text = "<b>" + denseText(place).toHtmlEscaped() + "</b>";
        if (row.tellsIdle && place.busy < 1)
            text += idleTip(m_session, m_idle, row, axis().timeAt(position.x()));
    } else if (hit.event.valid()) {
        text = eventTip(m_session.trace(hit.event.report), hit.event.event);
        if (const QString peers = peersText(m_session, m_books, hit.event); !peers.isEmpty())
            text += "<div>" + peers.toHtmlEscaped() + "</div>";
        text += exchangeTip(m_session, hit.event);
    } else if (row.tellsIdle) {
        text = idleTip(m_session, m_idle, row, axis().timeAt(position.x()));
    } else if (row.counter != noIndex) {
        const OpenReport& report = m_session.workspace().report(row.report);
        text = counterTip(*report.trace, row, report.clock.toReport(axis().timeAt(position.x())),
            static_cast<Ns>(axis().nsPerPixel()));
    }
    if (text.isEmpty()) {
        m_tip->hide();
        return;
    }
    const QRect subject = subjectOf(hit, position);
    m_tip->tell(text, viewport()->mapToGlobal(position),
        QRect(viewport()->mapToGlobal(subject.topLeft()), subject.size()));
}

void TimelineView::pinHighlight(EventId event)
{
    Selection& selection = m_session.selection();
    if (!event.valid())
        event = m_hovered.valid() ? m_hovered : selection.currentEvent();
    if (!event.valid()) {
        selection.clearHighlights();
        return;
    }
    const NameOfKind name{event.event.kind, std::string(m_session.trace(event.report).name(event.event))};
    if (selection.highlightedName() == name)
        selection.clearHighlights();
    else
        selection.highlightName(name.kind, name.name);
}

} // namespace warpline
