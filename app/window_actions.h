#pragma once

#include "views/actions/action.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <optional>

class QAction;
class QKeyEvent;
class QMenuBar;
class QToolBar;

namespace warpline {

struct Theme;

/// The actions of allActions() as the window has them: one QAction each, in menu, tool bar and for its keys
/// alike, enabled and checked as the session is.
class WindowActions : public QObject {
    Q_OBJECT
public:
    /// Both outlive this object.
    WindowActions(QWidget& window, Session& session);

    /// Makes the four menus.
    void fillMenuBar(QMenuBar& bar);
    /// Appends the actions that have an icon, a line before each that begins another menu.
    void fillToolBar(QToolBar& bar);
    /// Draws the icons in the theme's colours.
    void setTheme(const Theme& theme);
    /// Reloads the shortcuts from the settings.
    void bindKeys();
    /// Updates which actions are enabled. Also called when the session changes.
    void update();
    void updateSoon(); ///< once for simultaneous changes
    /// Updates the check marks to the state. Also called before a menu is shown.
    void updateChecks();
    void updateChecksSoon(); ///< once for all that changes in this turn
    /// The action with `id`; nullptr when there is none.
    QAction* find(const QString& id) const { return m_actions.value(id); }
    /// The action with KeyScope::UnlessTyping and this key that no timeline handles; nullptr: none.
    QAction* heardUnlessTyping(const QKeyEvent& event) const;
    /// The context of an action without mouse: the current event, the selected row.
    ActionContext context() const;

private:
    void followSession();

    QWidget& m_window;
    Session& m_session;
    QHash<QString, QAction*> m_actions;
    QHash<QString, QString> m_tips; ///< of the actions, with their keys: reading the settings is slow
    QMultiHash<QString, QMenu*> m_submenus; ///< of the menu bar, by title
    QTimer m_soon; ///< combines simultaneous changes
    QTimer m_checksSoon;
};

} // namespace warpline
