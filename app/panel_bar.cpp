#include "app/panel_bar.h"

#include "app/window_actions.h"
#include "views/session/run_pair.h"

#include <QAction>
#include <QWidget>

namespace warpline {

PanelBar::PanelBar(PanelPlace place, Session& session, const WindowActions& actions, QWidget* parent)
    : QToolBar(parent),
      m_place(place),
      m_session(session),
      m_actions(actions)
{
    setObjectName(place == PanelPlace::Below ? "drawer-bar" : "inspector-bar");
    setMovable(false);
    connect(&session, &Session::traceChanged, this, &PanelBar::fill);
    connect(&session.pair(), &RunPair::changed, this, &PanelBar::fill);
    for (const PanelKind* const kind : allPanels()) {
        if (kind->place == place
            && kind->isNeeded) // queued: a click that closes the panel removes its button
            connect(actionOf(*kind), &QAction::toggled, this, &PanelBar::fill, Qt::QueuedConnection);
    }
    fill();
}

QAction* PanelBar::actionOf(const PanelKind& kind) const
{
    return m_actions.find(QString("panel.") + kind.id);
}

void PanelBar::fill()
{
    QList<QAction*> wanted;
    bool allApply = true;
    if (m_place == PanelPlace::Beside) {
        wanted << m_actions.find("inspector.back") << m_actions.find("inspector.forward");
        wanted.front()->setIconText(QChar(0x2039)); // on its button; the menu has the text
        wanted.back()->setIconText(QChar(0x203a));
    }
    for (const PanelKind* const kind : allPanels()) {
        if (kind->place != m_place)
            continue;
        QAction* const action = actionOf(*kind);
        const bool applies = !kind->isNeeded || kind->isNeeded(m_session);
        if (applies || action->isChecked())
            wanted << action;
        allApply &= applies || !action->isChecked();
    }
    if (wanted == actions())
        return;
    clear();
    for (QAction* const action : wanted) {
        addAction(action);
        widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
    }
    if (m_place == PanelPlace::Beside && allApply) // before they are placed, all panels are open
        setMinimumWidth(sizeHint().width()); // no button is out of sight
}

} // namespace warpline
