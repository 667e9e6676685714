// Measuring: selections that hold on to events, the time between two events, and a drag that zooms.

#include "core/store/trace.h"
#include "views/actions/action.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double snapReach = 12; ///< pixels, at the end that moves
constexpr double firstSnapReach = 4; ///< at the end where a drag begins: only exact aims

QString sideOf(const Snap& snap)
{
    return snap.isStart ? TimelineView::tr("start") : TimelineView::tr("end");
}

} // namespace

std::optional<Snap> TimelineView::edgeNear(
    QPoint position, double reach, Qt::KeyboardModifiers modifiers) const
{
    const PlacedRow* const placed = m_layout.rowAt(position.y(), offset());
    if (!placed || (modifiers & Qt::AltModifier))
        return std::nullopt;
    const TimeAxis timeAxis = axis();
    return nearestEdge(m_session.workspace(), m_session.rows().row(placed->row),
        timeAxis.timeAt(position.x()), static_cast<Ns>(reach * timeAxis.nsPerPixel()));
}

void TimelineView::beginSelection(QPoint position, Qt::KeyboardModifiers modifiers)
{
    m_snap.reset();
    m_firstSnap = edgeNear(position, firstSnapReach, modifiers);
    if (m_firstSnap)
        m_anchor.time = m_firstSnap->time;
}

Ns TimelineView::movingEnd(QPoint position)
{
    // Beyond the edges the view scrolls under the mouse; only the visible range is selected.
    position.setX(std::clamp(position.x(), 0, viewport()->width()));
    m_snap = edgeNear(position, snapReach, m_modifiers);
    return m_snap ? m_snap->time : axis().timeAt(position.x());
}

QString TimelineView::dragLabel() const
{
    if (m_drag == Drag::Zoom)
        return exactDuration(zoomRange().duration());
    if (m_drag != Drag::Box && m_drag != Drag::LeftEdge && m_drag != Drag::RightEdge)
        return {};
    QString text = exactDuration(m_session.time().selectedRange().duration());
    const auto nameOf = [this](const Snap& snap) {
        constexpr int longest = 40;
        const QString name = QString::fromStdString(
            std::string(m_session.trace(snap.event.report).displayName(snap.event.event)));
        return name.size() > longest ? name.left(longest) + QChar(0x2026) : name;
    };
    if (m_snap && m_firstSnap && m_drag == Drag::Box)
        text += '\n'
            + tr("%1 of %2 to %3 of %4")
                  .arg(sideOf(*m_firstSnap), nameOf(*m_firstSnap), sideOf(*m_snap), nameOf(*m_snap));
    else if (m_snap)
        text += '\n' + tr("%1 of \u201c%2\u201d").arg(sideOf(*m_snap), nameOf(*m_snap));
    return text;
}

void TimelineView::measureTo(EventId event)
{
    const EventId from = m_session.selection().currentEvent();
    if (!from.valid() || !event.valid() || from == event)
        return;
    m_session.selection().selectRows({});
    showMeasure(from, event);
}

void TimelineView::showMeasure(EventId first, EventId second)
{
    const Measure measure = measureBetween(m_session.workspace(), first, second);
    m_session.time().selectRange(measure.between);
    m_measure = measure; // late: another selected range ends it
    repaintInTurn();
}

std::optional<double> TimelineView::measureX() const
{
    if (!m_measure)
        return std::nullopt;
    const TimeAxis timeAxis = axis();
    const TimeRange first = m_session.workspace().range(m_measure->first);
    const TimeRange second = m_session.workspace().range(m_measure->second);
    if (std::max(first.end, second.end) < timeAxis.shown.start || first.start > timeAxis.shown.end)
        return std::nullopt;
    return std::clamp(timeAxis.xAt(second.start), 0.0, static_cast<double>(viewport()->width()));
}

void TimelineView::forgetMeasure()
{
    const TimeRange selected = m_session.time().selectedRange();
    if (m_measure && (selected != m_measure->between && !(selected.empty() && m_measure->between.empty())))
        m_measure.reset();
}

bool TimelineView::copy()
{
    QString text;
    if (m_measure)
        text = measureForClipboard(m_session.workspace(), *m_measure);
    else if (!m_session.time().selectedRange().empty())
        text = rangeForClipboard(m_session.time().selectedRange());
    if (!text.isEmpty()) {
        QApplication::clipboard()->setText(text);
        return true;
    }
    const ActionContext context{m_session, this, m_session.selection().currentEvent()};
    const auto details = std::ranges::find(eventActions(), QString("event.copyDetails"),
        [](const Action& action) { return QString(action.id); });
    return details != eventActions().end() && perform(*details, context);
}

TimeRange TimelineView::zoomRange() const
{
    const Ns to = axis().timeAt(std::clamp(m_lastPosition.x(), 0, viewport()->width()));
    return {std::min(m_anchor.time, to), std::max(m_anchor.time, to)};
}

void TimelineView::finishZoom()
{
    const TimeRange range = zoomRange();
    if (!range.empty())
        m_session.time().show(range);
}

void TimelineView::paintTimeLine(QPainter& painter, Ns time)
{
    const double x = std::round(axis().xAt(time)) + 0.5;
    if (x < -1 || x > viewport()->width() + 1)
        return;
    painter.setPen(QPen(m_theme->accent, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
}

void TimelineView::paintLabel(QPainter& painter, QPointF at, const QString& text)
{
    constexpr double padding = 6;
    constexpr QPointF beside(14, 18);
    const QSizeF size = painter.fontMetrics().size(0, text);
    QRectF box(at + beside, size + QSizeF(2 * padding, padding));
    if (box.right() > viewport()->width())
        box.moveRight(at.x() - padding);
    if (box.bottom() > viewport()->height())
        box.moveBottom(at.y() - padding);
    box.moveLeft(std::max(0.0, box.left()));
    box.moveTop(std::max(0.0, box.top()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme->dimText);
    painter.setBrush(m_theme->panel);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(m_theme->text);
    painter.drawText(box.adjusted(padding, padding / 2, -padding, -padding / 2), Qt::AlignLeft, text);
}

void TimelineView::paintMeasure(QPainter& painter)
{
    if (m_drag == Drag::Zoom) {
        const TimeAxis timeAxis = axis();
        const TimeRange range = zoomRange();
        QColor veil = m_theme->panel;
        veil.setAlpha(150);
        const double left = timeAxis.xAt(range.start);
        const double right = timeAxis.xAt(range.end);
        painter.fillRect(QRectF(0, 0, left, viewport()->height()), veil);
        painter.fillRect(QRectF(right, 0, viewport()->width() - right, viewport()->height()), veil);
        paintTimeLine(painter, range.start);
        paintTimeLine(painter, range.end);
    }
    const QString dragged = dragLabel();
    if (!dragged.isEmpty()) {
        if (m_snap && m_drag != Drag::Zoom)
            paintTimeLine(painter, m_snap->time);
        paintLabel(painter, m_lastPosition, dragged);
        return;
    }
    if (!m_measure)
        return;
    const Workspace& workspace = m_session.workspace();
    const TimeRange first = workspace.range(m_measure->first);
    const Ns second = workspace.range(m_measure->second).start;
    for (const Ns time : {first.start, first.end, second})
        paintTimeLine(painter, time);
    const std::optional<double> x = measureX();
    if (!x)
        return;
    const PlacedRow* const row = visibleRowOf(m_measure->second);
    const double y = row ? m_layout.screenY(*row, offset()) + row->height : 0;
    paintLabel(painter, {*x, std::clamp(y, 0.0, std::max(0.0, viewport()->height() - 60.0))},
        measureText(*m_measure));
}

} // namespace warpline
