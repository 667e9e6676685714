#include "app/window_keys.h"

#include "app/window_actions.h"
#include "views/actions/action_keys.h"
#include "views/actions/typing_keys.h"
#include "views/compare/compared_timelines.h"
#include "views/timeline/timeline_actions.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

#include <algorithm>

namespace warpline {

namespace {

constexpr Qt::KeyboardModifiers commands = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;

bool takesText(const QWidget& widget)
{
    const auto* const text = qobject_cast<const QTextEdit*>(&widget);
    const auto* const plain = qobject_cast<const QPlainTextEdit*>(&widget);
    const auto* const combo = qobject_cast<const QComboBox*>(&widget);
    return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget)
        || (text && !text->isReadOnly()) || (plain && !plain->isReadOnly()) || (combo && combo->isEditable());
}

bool isTimelineKey(const QKeyEvent& event)
{
    return actionAtPlace(event) || std::ranges::any_of(timelineKeyActions(), [&](const Action* action) {
        return action->scope == KeyScope::UnlessTyping && isKeyOf(*action, event);
    });
}

/// A letter that a list would use to search its lines.
bool isTypeAhead(const QKeyEvent& event)
{
    return !(event.modifiers() & commands) && !event.text().isEmpty() && event.text().front().isPrint()
        && event.key() != Qt::Key_Space;
}

} // namespace

WindowKeys::WindowKeys(QWidget& window, ComparedTimelines& timelines, WindowActions& actions, QObject* parent)
    : QObject(parent),
      m_window(window),
      m_timelines(timelines),
      m_actions(actions)
{
    QApplication::instance()->installEventFilter(this);
}

bool WindowKeys::isOfWindow(const QWidget& widget) const
{
    // A floating panel still belongs to this window; a menu or dialog does not.
    return widget.window() == &m_window
        || (widget.window()->inherits("QDockWidget") && m_window.isAncestorOf(widget.window()));
}

TimelineView& WindowKeys::timelineFor(const QWidget& focus) const
{
    TimelinePane* const b = m_timelines.b();
    return (b && b->isVisible() && b->isAncestorOf(&focus) ? *b : m_timelines.a()).view();
}

void WindowKeys::pass(QEvent& event, TimelineView& timeline)
{
    m_passing = true;
    QApplication::sendEvent(&timeline, &event);
    m_passing = false;
}

void WindowKeys::passRelease(QEvent& event, const QWidget& to)
{
    for (TimelinePane* const pane : {&m_timelines.a(), m_timelines.b()}) {
        if (pane && &pane->view() != &to)
            pass(event, pane->view());
    }
    event.accept(); // the widget has not had it
}

bool WindowKeys::eventFilter(QObject* watched, QEvent* event)
{
    const bool pressed = event->type() == QEvent::KeyPress;
    if (!pressed && event->type() != QEvent::KeyRelease)
        return false;
    auto* const widget = qobject_cast<QWidget*>(watched);
    if (m_passing || !widget || !isOfWindow(*widget) || !m_timelines.isVisible())
        return false;
    if (!pressed) {
        passRelease(*event, *widget);
        return false;
    }
    TimelineView& timeline = timelineFor(*widget);
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (takesText(*widget)) {
        if (key.key() == Qt::Key_Escape && !dynamic_cast<KeepsEscape*>(widget)) {
            timeline.setFocus();
            return true;
        }
        if (!(key.modifiers() & Qt::AltModifier)) // with Alt nothing is typed
            return false;
    }
    if (QAction* const own = m_actions.heardUnlessTyping(key)) {
        own->trigger();
        return true;
    }
    if (widget == &timeline)
        return false;
    if (isTimelineKey(key)) {
        pass(*event, timeline);
        return true;
    }
    return isTypeAhead(key) && qobject_cast<QAbstractItemView*>(widget);
}

} // namespace warpline
