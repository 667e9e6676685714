// What the mouse, the keys and the touchpad do in the timeline. Gestures are those of Nsight Systems and of
// Perfetto.

#include "views/actions/action_keys.h"
#include "views/session/exchange_text.h"
#include "views/timeline/timeline_actions.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/tooltip.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr double zoomPerNotch = 0.8;
constexpr int edgeReach = 4; ///< pixels around the edge of a selection that grab it
constexpr int keyIntervalMs = 16;

} // namespace

bool TimelineView::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::Leave:
        m_cursorX.reset();
        m_hovered = {};
        emit cursorMoved(0, false);
        viewport()->update();
        break;
    case QEvent::NativeGesture:
        return nativeGesture(event);
    case QEvent::ToolTip:
        return true; // tips follow the mouse: see showTip()
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

bool TimelineView::nativeGesture(QEvent* event)
{
    const auto* const gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() != Qt::ZoomNativeGesture)
        return false;
    m_session.zoomAt(axis().timeAt(gesture->position().x()), 1.0 / std::max(0.2, 1.0 + gesture->value()));
    return true;
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    // Alt turns the wheel sideways on some platforms; a touchpad scrolls both ways.
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        m_session.zoomAt(axis().timeAt(event->position().x()), std::pow(zoomPerNotch, notches));
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_session.panBy(static_cast<Ns>(-notches * 0.12 * static_cast<double>(m_session.shown().duration())));
    } else {
        // Fine wheels and touchpads send parts of a notch: multiply before dividing.
        constexpr int perNotch = RowLayout::laneHeight * 3;
        const int sideways = pixels.isNull() ? angle.x() / 2 : pixels.x();
        const int down = pixels.isNull() ? angle.y() * perNotch / 120 : pixels.y();
        if (sideways != 0 && std::abs(sideways) > std::abs(down))
            m_session.panBy(static_cast<Ns>(-sideways * axis().nsPerPixel()));
        else
            verticalScrollBar()->setValue(verticalScrollBar()->value() - down);
    }
    event->accept();
}

TimelineView::Drag TimelineView::dragModeAt(
    QPoint position, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const
{
    if (button == Qt::MiddleButton || (button == Qt::LeftButton && (modifiers & Qt::ShiftModifier)))
        return Drag::Pan;
    if (button != Qt::LeftButton)
        return Drag::None;
    const TimeRange selected = m_session.selectedRange();
    if (!selected.empty()) {
        if (std::abs(axis().xAt(selected.start) - position.x()) <= edgeReach)
            return Drag::LeftEdge;
        if (std::abs(axis().xAt(selected.end) - position.x()) <= edgeReach)
            return Drag::RightEdge;
    }
    return Drag::Press;
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    setFocus();
    QToolTip::hideText();
    m_drag = dragModeAt(event->pos(), event->button(), event->modifiers());
    m_dragFrom = event->pos();
    m_lastPosition = event->pos();
    m_dragShown = m_session.shown();
    m_dragOffset = offset();
    const bool pinned = event->pos().y() < m_layout.pinnedHeight();
    m_anchor
        = {axis().timeAt(event->pos().x()), pinned ? event->pos().y() : event->pos().y() + offset(), pinned};
    m_dragSelected = m_session.selectedRange();
    if (m_drag == Drag::Pan)
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    m_lastPosition = event->pos();
    m_cursorX = event->pos().x();
    emit cursorMoved(axis().timeAt(event->pos().x()), true);
    if (m_drag == Drag::None)
        hover(event->pos());
    else
        dragTo(event->pos());
    viewport()->update();
}

void TimelineView::dragTo(QPoint position)
{
    switch (m_drag) {
    case Drag::Press:
        if ((position - m_dragFrom).manhattanLength() < QApplication::startDragDistance())
            return;
        m_drag = Drag::Box;
        m_edgeTimer.start(30, this);
        [[fallthrough]];
    case Drag::Box:
        selectBox(position);
        break;
    case Drag::Pan: {
        const double perPixel
            = static_cast<double>(m_dragShown.duration()) / std::max(1, viewport()->width());
        const Ns by = static_cast<Ns>((m_dragFrom.x() - position.x()) * perPixel);
        m_session.show({m_dragShown.start + by, m_dragShown.end + by}, false);
        verticalScrollBar()->setValue(m_dragOffset + m_dragFrom.y() - position.y());
        break;
    }
    case Drag::LeftEdge:
        m_session.selectRange({axis().timeAt(position.x()), m_dragSelected.end});
        break;
    case Drag::RightEdge:
        m_session.selectRange({m_dragSelected.start, axis().timeAt(position.x())});
        break;
    case Drag::None:
        break;
    }
}

void TimelineView::selectBox(QPoint to)
{
    // Beyond the edges the view scrolls under the box; what is not shown is not selected.
    const Ns time = axis().timeAt(std::clamp(to.x(), 0, viewport()->width()));
    m_session.selectRange({std::min(m_anchor.time, time), std::max(m_anchor.time, time)});
    const int from = m_anchor.pinned ? m_anchor.y : m_anchor.y - offset();
    std::vector<RowId> rows;
    const int top = std::min(from, to.y());
    const int bottom = std::max(from, to.y()) + 1;
    for (const PlacedRow* const row : m_layout.between(top, bottom, offset()))
        rows.push_back(row->row);
    std::ranges::sort(rows);
    const auto [first, last] = std::ranges::unique(rows);
    rows.erase(first, last);
    m_session.selectRows(std::move(rows));
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::Press) {
        // A click: an event becomes the current one, an empty place clears the selection.
        const Hit hit = hitAt(event->pos());
        if (hit.event.valid()) {
            m_session.setCurrentEvent(hit.event);
        } else {
            m_session.clearSelection();
            if (hit.row != RowTree::root)
                m_session.selectRows({hit.row});
        }
    }
    stopDrag();
}

void TimelineView::stopDrag()
{
    m_edgeTimer.stop();
    m_drag = Drag::None;
    viewport()->unsetCursor();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Hit hit = hitAt(event->pos());
    if (event->button() == Qt::LeftButton && hit.event.valid())
        m_session.goTo(hit.event);
    m_drag = Drag::None;
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    const Hit hit = hitAt(event->pos());
    if (hit.event.valid())
        m_session.setCurrentEvent(hit.event);
    emit contextMenuWanted(hit, event->globalPos());
}

void TimelineView::hover(QPoint position)
{
    const Drag mode = dragModeAt(position, Qt::LeftButton, {});
    viewport()->setCursor(
        mode == Drag::LeftEdge || mode == Drag::RightEdge ? Qt::SizeHorCursor : Qt::ArrowCursor);
    const Hit hit = hitAt(position);
    if (hit.event == m_hovered && (hit.event.valid() || hit.row == RowTree::root))
        return;
    m_hovered = hit.event;
    showTip(hit, position);
}

void TimelineView::showTip(const Hit& hit, QPoint position)
{
    const Row& row = m_session.rows().row(hit.row);
    QString text;
    if (hit.event.valid()) {
        text = eventTip(m_session.trace(hit.event.report), hit.event.event)
            + exchangeTip(m_session, hit.event);
    } else if (row.counter != noIndex) {
        const OpenReport& report = m_session.workspace().report(row.report);
        text = counterTip(*report.trace, row, report.clock.toReport(axis().timeAt(position.x())));
    }
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(viewport()->mapToGlobal(position + QPoint(14, 16)), text, viewport());
}

void TimelineView::moveBy(double zoom, double pan)
{
    const Ns anchor
        = m_cursorX ? axis().timeAt(*m_cursorX) : m_session.shown().start + m_session.shown().duration() / 2;
    if (zoom != 1)
        m_session.zoomAt(anchor, zoom);
    if (pan != 0)
        m_session.panBy(static_cast<Ns>(pan * static_cast<double>(m_session.shown().duration())));
}

void TimelineView::move(Motion motion, int heldKey)
{
    if (heldKey != 0 && m_keysHeld.contains(heldKey))
        return; // the key repeats by itself: the timer moves more smoothly
    // The first step at once, so that a tap moves; then smoothly while the key is held.
    const bool zooms = motion == Motion::ZoomIn || motion == Motion::ZoomOut;
    if (zooms)
        moveBy(motion == Motion::ZoomIn ? 0.85 : 1 / 0.85, 0);
    else
        moveBy(1, motion == Motion::Left ? -0.05 : 0.05);
    if (heldKey == 0)
        return;
    m_keysHeld.insert(heldKey, motion);
    m_keyTimer.start(keyIntervalMs, this);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const ActionContext context{m_session, this, m_session.currentEvent(), RowTree::root, event->key()};
    for (const Action* const action : timelineKeyActions()) {
        if (isKeyOf(*action, *event) && perform(*action, context))
            return;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void TimelineView::clearSelection()
{
    stopDrag();
    m_session.clearSelection();
}

void TimelineView::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat())
        m_keysHeld.remove(event->key());
    if (m_keysHeld.isEmpty())
        m_keyTimer.stop();
    QAbstractScrollArea::keyReleaseEvent(event);
}

void TimelineView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_keyTimer.timerId()) {
        if (!isActiveWindow())
            m_keysHeld.clear(); // the release went to another window
        double zoom = 1;
        double pan = 0;
        for (const Motion motion : std::as_const(m_keysHeld)) {
            zoom *= motion == Motion::ZoomIn ? 0.965 : motion == Motion::ZoomOut ? 1 / 0.965 : 1;
            pan += motion == Motion::Left ? -0.015 : motion == Motion::Right ? 0.015 : 0;
        }
        if (m_keysHeld.isEmpty())
            m_keyTimer.stop();
        else
            moveBy(zoom, pan);
    } else if (event->timerId() == m_edgeTimer.timerId() && m_drag == Drag::Box) {
        scrollUnderBox();
    }
    QAbstractScrollArea::timerEvent(event);
}

void TimelineView::scrollUnderBox()
{
    const auto beyond = [](int at, int length) { return at < 0 ? at : std::max(0, at - length); };
    const int across = beyond(m_lastPosition.x(), viewport()->width());
    const int down = beyond(m_lastPosition.y(), viewport()->height());
    if (across != 0)
        m_session.panBy(static_cast<Ns>(across * axis().nsPerPixel() / 4));
    if (down != 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + down / 3);
    if (across != 0 || down != 0)
        selectBox(m_lastPosition);
}

} // namespace warpline
