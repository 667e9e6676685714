#pragma once

#include "views/panels/panel.h"

#include <QToolBar>

namespace warpline {

class WindowActions;

/// The panels of inspector or drawer as a row of buttons. A panel that does not apply to the open reports has
/// one only while it is open. The pressed one is the shown panel; a click on it closes it. Overflowing
/// buttons are in a menu at the end.
class PanelBar : public QToolBar {
    Q_OBJECT
public:
    /// `session` and `actions` outlive the bar.
    PanelBar(PanelPlace place, Session& session, const WindowActions& actions, QWidget* parent = nullptr);

private:
    void fill();
    QAction* actionOf(const PanelKind& kind) const; ///< that opens and closes it

    PanelPlace m_place;
    Session& m_session;
    const WindowActions& m_actions;
};

} // namespace warpline
