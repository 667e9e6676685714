#pragma once

#include "views/panels/panel.h"

#include <QToolBar>

namespace warpline {

class WindowActions;

/// The panels of inspector or drawer as a row of buttons, those left out that have nothing to say of what is
/// open. One that is down is the panel that is shown; a click on it closes it. What finds no room is in a
/// menu at the end.
class PanelBar : public QToolBar {
    Q_OBJECT
public:
    /// `session` and `actions` outlive the bar.
    PanelBar(PanelPlace place, Session& session, const WindowActions& actions, QWidget* parent = nullptr);

private:
    void fill();

    PanelPlace m_place;
    Session& m_session;
    const WindowActions& m_actions;
};

} // namespace warpline
