// Mouse, keys and touchpad in the timeline. Gestures are the same as in Nsight Systems and Perfetto.

#include "views/actions/action_keys.h"
#include "views/style/text_scale.h"
#include "views/timeline/note_label.h"
#include "views/timeline/row_glide.h"
#include "views/timeline/timeline_actions.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpline {

namespace {

constexpr double zoomPerNotch = 0.8;
constexpr int selectionEdgeReach = 4; ///< pixels around the edge of a selection that grab it
constexpr int keyIntervalMs = 16;
constexpr int anglePerNotch = 120;

} // namespace

bool TimelineView::event(QEvent* event)
{
    if (event->type() == QEvent::WindowBlocked)
        stopDrag(); // the dialog gets the release of the button
    return QAbstractScrollArea::event(event);
}

bool TimelineView::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::Leave:
        m_cursorX.reset();
        m_keptY.reset();
        forgetHover();
        emit cursorMoved(0, false);
        repaintInTurn();
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
    constexpr double least = 0.2; // a pinch that closes all the way is no division by zero
    m_session.time().holdStill();
    zoomBy(gesture->position().x(), 1.0 / std::max(least, 1.0 + gesture->value()), Manner::AtOnce);
    return true;
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    constexpr double panPerNotch = 0.12;
    m_rowGlide->stop();
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    // Alt turns the wheel sideways on some platforms; a touchpad scrolls both ways.
    const int turned = angle.y() != 0 ? angle.y() : angle.x();
    const double notches = turned / static_cast<double>(anglePerNotch);
    // Touchpads and fine wheels send parts of a notch, many of them: they are the motion.
    const bool isFine = !pixels.isNull() || turned % anglePerNotch != 0;
    const Manner manner = isFine ? Manner::AtOnce : Manner::Notch;
    if (isFine)
        m_session.time().holdStill();
    const double shown = static_cast<double>(m_session.time().shown().duration());
    if (event->modifiers() & Qt::ControlModifier) {
        zoomBy(event->position().x(), std::pow(zoomPerNotch, notches), manner);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        panBy(-notches * panPerNotch * shown, manner);
    } else {
        const double perNotch = inTextSize(RowLayout::laneHeight) * 3;
        const double sideways = pixels.isNull() ? angle.x() / 2.0 : pixels.x();
        const double down = pixels.isNull() ? angle.y() * perNotch / anglePerNotch : pixels.y();
        if (std::abs(sideways) > std::abs(down))
            panBy(-sideways * targetAxis().nsPerPixel(), manner);
        else
            verticalScrollBar()->setValue(
                verticalScrollBar()->value() - static_cast<int>(m_scrolled.with(down)));
    }
    event->accept();
}

TimelineView::Drag TimelineView::dragModeAt(
    QPoint position, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) const
{
    const auto zooms = Qt::ControlModifier | Qt::ShiftModifier;
    if (button == Qt::RightButton || (button == Qt::LeftButton && (modifiers & zooms) == zooms))
        return Drag::ZoomPress;
    if (button == Qt::MiddleButton || (button == Qt::LeftButton && (modifiers & Qt::ShiftModifier)))
        return Drag::Pan;
    if (button != Qt::LeftButton)
        return Drag::None;
    const TimeRange selected = m_session.time().selectedRange();
    if (!selected.empty()) {
        if (std::abs(axis().xAt(selected.start) - position.x()) <= selectionEdgeReach)
            return Drag::LeftEdge;
        if (std::abs(axis().xAt(selected.end) - position.x()) <= selectionEdgeReach)
            return Drag::RightEdge;
    }
    return Drag::Press;
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    setFocus();
    m_focusMark = false;
    m_tip->hide();
    m_note->hide();
    const auto hint = event->button() == Qt::LeftButton ? hintAt(event->pos()) : std::nullopt;
    m_pressedHint = hint.has_value();
    if (hint) {
        m_session.selection().goToAtScale(hint->target);
        return;
    }
    m_drag = dragModeAt(event->pos(), event->button(), event->modifiers());
    if (m_drag == Drag::Pan)
        m_session.time().holdStill();
    m_rowGlide->stop();
    m_dragFrom = event->pos();
    m_lastPosition = event->pos();
    m_dragShown = m_session.time().shown();
    m_dragOffset = offset();
    const bool pinned = event->pos().y() < m_layout.pinnedHeight();
    m_anchor
        = {axis().timeAt(event->pos().x()), pinned ? event->pos().y() : event->pos().y() + offset(), pinned};
    m_dragSelected = m_session.time().selectedRange();
    m_dragRows = m_session.selection().selectedRows();
    m_modifiers = event->modifiers();
    m_menuOnRelease = event->button() == Qt::RightButton;
    if (m_drag == Drag::Press)
        beginSelection(event->pos(), event->modifiers());
    if (m_drag == Drag::Pan)
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    m_lastPosition = event->pos();
    m_modifiers = event->modifiers();
    m_cursorX = event->pos().x();
    m_keptY = event->pos().y();
    emit cursorMoved(axis().timeAt(event->pos().x()), true);
    if (m_drag == Drag::None)
        hover(event->pos());
    else
        dragTo(event->pos());
    repaintInTurn();
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
        m_session.time().show({m_dragShown.start + by, m_dragShown.end + by}, false);
        verticalScrollBar()->setValue(m_dragOffset + m_dragFrom.y() - position.y());
        break;
    }
    case Drag::LeftEdge:
        m_session.time().selectRange({movingEnd(position), m_dragSelected.end});
        break;
    case Drag::RightEdge:
        m_session.time().selectRange({m_dragSelected.start, movingEnd(position)});
        break;
    case Drag::ZoomPress:
        if ((position - m_dragFrom).manhattanLength() >= QApplication::startDragDistance())
            m_drag = Drag::Zoom;
        break;
    case Drag::Zoom: // painted, and done when the button is let go
        break;
    case Drag::None:
        break;
    }
}

void TimelineView::selectBox(QPoint to)
{
    const Ns time = movingEnd(to);
    m_session.time().selectRange({std::min(m_anchor.time, time), std::max(m_anchor.time, time)});
    const int from = m_anchor.pinned ? m_anchor.y : m_anchor.y - offset();
    std::vector<RowId> rows;
    const int top = std::min(from, to.y());
    const int bottom = std::max(from, to.y()) + 1;
    for (const PlacedRow* const row : m_layout.between(top, bottom, offset()))
        rows.push_back(row->row);
    std::ranges::sort(rows);
    const auto [first, last] = std::ranges::unique(rows);
    rows.erase(first, last);
    // A selection along one row is about time: it does not restrict to the row.
    m_session.selection().selectRows(rows.size() > 1 ? std::move(rows) : m_dragRows);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::Press) {
        // A click: an event becomes the current one, an empty place clears the selection.
        const Hit hit = hitAt(event->pos());
        if (hit.event.valid() && (event->modifiers() & Qt::ControlModifier)) {
            pinHighlight(hit.event);
        } else if (hit.event.valid()) {
            m_session.selection().setCurrentEvent(hit.event);
            m_walk = {hit.event, hit.row, event->pos().y() < m_layout.pinnedHeight(),
                targetAxis().timeAt(event->pos().x())};
        } else {
            m_session.selection().clear();
        }
    }
    const bool isClick = (event->pos() - m_dragFrom).manhattanLength() < QApplication::startDragDistance();
    if (m_drag == Drag::Pan && event->button() == Qt::LeftButton && isClick) // with Shift
        measureTo(hitAt(event->pos()).event);
    if (m_drag == Drag::Pan && event->button() == Qt::MiddleButton && isClick)
        m_session.selection().goTo(hitAt(event->pos()).event);
    if (m_drag == Drag::Zoom)
        finishZoom();
    const bool wantsMenu = m_drag == Drag::ZoomPress && m_menuOnRelease && event->button() == Qt::RightButton;
    stopDrag();
    if (wantsMenu)
        openMenuAt(event->pos(), event->globalPosition().toPoint());
}

void TimelineView::stopDrag()
{
    m_edgeTimer.stop();
    m_drag = Drag::None;
    viewport()->unsetCursor();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_pressedHint) // what is under the mouse now was not there at the first click
        return;
    const Hit hit = hitAt(event->pos());
    if (event->button() == Qt::LeftButton && hit.event.valid())
        m_session.selection().goTo(hit.event);
    m_drag = Drag::None;
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    // X11 sends it when the button is pressed, others when it is released: only then it is known whether a
    // drag begins.
    if (event->reason() == QContextMenuEvent::Mouse && m_menuOnRelease)
        return;
    const auto place = event->reason() == QContextMenuEvent::Keyboard
        ? placeOf(m_session.selection().currentEvent())
        : std::nullopt;
    if (!place) {
        openMenuAt(event->pos(), event->globalPos());
        return;
    }
    const QPoint at(std::clamp(static_cast<int>(place->x()), 0, std::max(0, viewport()->width() - 1)),
        static_cast<int>(place->y()));
    emit contextMenuWanted(
        {m_layout.rowAt(at.y(), offset()) ? m_layout.rowAt(at.y(), offset())->row : RowTree::root,
            m_session.selection().currentEvent()},
        viewport()->mapToGlobal(at));
}

void TimelineView::openMenuAt(QPoint position, QPoint globalPosition)
{
    const Hit hit = hitAt(position);
    if (hit.event.valid())
        m_session.selection().setCurrentEvent(hit.event);
    emit contextMenuWanted(hit, globalPosition);
}

TimeAxis TimelineView::targetAxis() const
{
    return {m_session.time().shown(), static_cast<double>(viewport()->width())};
}

void TimelineView::zoomBy(double x, double factor, Manner manner)
{
    const Ns length = m_session.time().shown().duration();
    const Ns wanted = m_zoomed.with(length, factor);
    if (wanted != length)
        m_session.time().zoomAt(
            targetAxis().timeAt(x), static_cast<double>(wanted) / static_cast<double>(length), manner);
}

void TimelineView::panBy(double ns, Manner manner)
{
    m_session.time().panBy(m_panned.with(ns), manner);
}

void TimelineView::moveBy(MotionStep step)
{
    if (step.zoom != 1)
        zoomBy(m_cursorX ? *m_cursorX : viewport()->width() / 2.0, step.zoom, Manner::Follow);
    if (step.pan != 0)
        panBy(step.pan * static_cast<double>(m_session.time().shown().duration()), Manner::Follow);
}

void TimelineView::move(Motion motion, int heldKey)
{
    if (heldKey != 0 && m_keysHeld.contains(heldKey))
        return; // ignores auto-repeat, because the timer moves more smoothly
    // The first step at once, so that a tap moves; then smoothly while the key is held.
    if (heldKey == 0) {
        moveBy(HeldKeys::nudge(motion));
        return;
    }
    moveBy(m_keysHeld.press(heldKey, motion, m_session.time().glide().now()));
    m_keyTimer.start(keyIntervalMs, Qt::PreciseTimer, this);
}

void TimelineView::moveByHeldKeys()
{
    if (!isActiveWindow() || QApplication::activePopupWidget())
        m_keysHeld.clear(); // the release goes to another window or to a menu
    if (m_keysHeld.isEmpty())
        m_keyTimer.stop();
    else
        moveBy(m_keysHeld.until(m_session.time().glide().now()));
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const ActionContext context{
        m_session, this, m_session.selection().currentEvent(), RowTree::root, event->key()};
    if (const Action* const action = actionAtPlace(*event); action && perform(*action, context))
        return;
    for (const Action* const action : timelineKeyActions()) {
        if (isKeyOf(*action, *event) && perform(*action, context))
            return;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void TimelineView::clearSelection()
{
    const bool wasZoom = m_drag == Drag::Zoom;
    stopDrag();
    repaintInTurn();
    m_measure.reset();
    if (!wasZoom)
        m_session.selection().clear();
}

void TimelineView::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat() && m_keysHeld.contains(event->key())) {
        moveByHeldKeys(); // up to now
        m_keysHeld.release(event->key());
    }
    if (m_keysHeld.isEmpty())
        m_keyTimer.stop();
    QAbstractScrollArea::keyReleaseEvent(event);
}

void TimelineView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_keyTimer.timerId()) {
        moveByHeldKeys();
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
        m_session.time().panBy(static_cast<Ns>(across * axis().nsPerPixel() / 4));
    if (down != 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + down / 3);
    if (across != 0 || down != 0)
        selectBox(m_lastPosition);
}

} // namespace warpline
