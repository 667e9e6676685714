#include "app/window_actions.h"

#include "app/actions/all_actions.h"
#include "app/icons.h"
#include "views/actions/action_keys.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"
#include "views/timeline/timeline_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr std::pair<MainMenu, const char*> menus[]{
    {MainMenu::File, QT_TRANSLATE_NOOP("Action", "&File")},
    {MainMenu::View, QT_TRANSLATE_NOOP("Action", "&View")},
    {MainMenu::Go, QT_TRANSLATE_NOOP("Action", "&Go")},
    {MainMenu::Help, QT_TRANSLATE_NOOP("Action", "&Help")},
};

/// Why actions are disabled although a report is open: shown with their tips.
constexpr std::pair<const char*, const char*> needs[]{
    {"file.compareOpen", QT_TRANSLATE_NOOP("Action", "open two reports first")},
    {"file.swap", QT_TRANSLATE_NOOP("Action", "no runs are compared, or one is being read")},
    {"file.endComparison", QT_TRANSLATE_NOOP("Action", "no runs are compared, or one is being read")},
    {"file.sample", QT_TRANSLATE_NOOP("Action", "the sample is not installed")},
    {"events.export", QT_TRANSLATE_NOOP("Action", "the report is not read completely")},
    {"findings.export", QT_TRANSLATE_NOOP("Action", "the report is not read completely")},
    {"marks.report", QT_TRANSLATE_NOOP("Action", "the report is not read completely")},
    {"export.trace", QT_TRANSLATE_NOOP("Action", "the report is not read completely")},
    {"export.cut", QT_TRANSLATE_NOOP("Action", "only Nsight Systems exports can be cut, not traces")},
};

constexpr const char* needsEvents = QT_TRANSLATE_NOOP("Action", "the report contains no events");

/// nullptr: nothing in particular.
const char* whatItNeeds(const Action& action)
{
    for (const auto& [id, what] : needs) {
        if (QByteArrayView(id) == QByteArrayView(action.id))
            return what;
    }
    return nullptr;
}

QString translated(const char* text)
{
    return QCoreApplication::translate("Action", text);
}

} // namespace

WindowActions::WindowActions(QWidget& window, Session& session)
    : QObject(&window),
      m_window(window),
      m_session(session)
{
    static const QRegularExpression accessKey("\\(&\\w\\)|&");
    for (const Action* const action : allActions()) {
        auto* const made = new QAction(this);
        made->setObjectName(action->id);
        made->setData(QVariant::fromValue(action)); // for addWindowAction()
        made->setIconText(menuText(*action).remove(accessKey)); // Qt leaves the brackets of "(&F)"
        made->setStatusTip(helpText(*action));
        made->setCheckable(action->checked);
        connect(made, &QAction::triggered, this, [this, action] {
            perform(*action, context());
            updateChecks(); // check marks show the state, not the click
        });
        m_actions.insert(action->id, made);
        window.addAction(made); // keys work without a menu too
    }
    bindKeys();
    followSession();
}

ActionContext WindowActions::context() const
{
    const std::vector<RowId>& rows = m_session.selection().selectedRows();
    return {m_session, &m_window, m_session.selection().currentEvent(),
        rows.empty() ? RowTree::root : rows.front()};
}

void WindowActions::fillMenuBar(QMenuBar& bar)
{
    for (const auto& [place, title] : menus) {
        QMenu* const menu = bar.addMenu(translated(title));
        menu->setToolTipsVisible(true);
        connect(menu, &QMenu::aboutToShow, this, &WindowActions::update);
        connect(menu, &QMenu::aboutToShow, this, &WindowActions::updateChecks);
        QHash<QString, QMenu*> submenus;
        for (const Action* const action : allActions()) {
            if (action->menu != place)
                continue;
            QMenu* in = menu;
            if (*action->submenu) {
                QMenu*& below = submenus[action->submenu];
                if (!below) {
                    below = menu->addMenu(translated(action->submenu));
                    below->setToolTipsVisible(true);
                    m_submenus.insert(translated(action->submenu), below);
                }
                in = below;
            }
            if (action->section && !in->isEmpty())
                in->addSeparator();
            in->addAction(m_actions[action->id]);
            showCheck(*in, *m_actions[action->id], *action, context());
        }
    }
    update();
    updateChecks();
}

void WindowActions::fillToolBar(QToolBar& bar)
{
    std::optional<MainMenu> before;
    for (const Action* const action : allActions()) {
        if (!*action->icon)
            continue;
        if (before && *before == MainMenu::File && action->menu != MainMenu::File)
            bar.addSeparator();
        before = action->menu;
        bar.addAction(m_actions[action->id]);
    }
}

void WindowActions::setTheme(const Theme& theme)
{
    for (const Action* const action : allActions()) {
        if (*action->icon) {
            m_actions[action->id]->setIcon(themedIcon(action->icon, theme));
            m_actions[action->id]->setIconVisibleInMenu(false);
        }
    }
}

void WindowActions::bindKeys()
{
    for (const Action* const action : allActions()) {
        QAction* const made = m_actions[action->id];
        const QList<QKeySequence> keys = keysOf(*action);
        m_tips[action->id] = tipOf(*action);
        made->setToolTip(m_tips[action->id]);
        if (action->scope == KeyScope::Window) {
            made->setText(menuText(*action));
            made->setShortcuts(keys);
        } else { // the timeline hears these; the menu only shows them
            const QString shown
                = keys.isEmpty() ? QString() : '\t' + keys.front().toString(QKeySequence::NativeText);
            made->setText(menuText(*action) + shown);
        }
    }
}

QAction* WindowActions::heardUnlessTyping(const QKeyEvent& event) const
{
    const std::vector<const Action*>& ofTimeline = timelineKeyActions();
    for (const Action* const action : allActions()) {
        if (action->scope == KeyScope::UnlessTyping && isKeyOf(*action, event)
            && std::ranges::find(ofTimeline, action) == ofTimeline.end())
            return m_actions[action->id];
    }
    return nullptr;
}

void WindowActions::update()
{
    m_soon.stop();
    const ActionContext now = context();
    QHash<QString, bool> submenus;
    for (const Action* const action : allActions()) {
        QAction* const made = m_actions[action->id];
        made->setEnabled(isEnabled(*action, now));
        if (const char* const need = whatItNeeds(*action)) {
            const bool isSaid = !made->isEnabled() && (action->withoutReport || m_session.hasReport());
            const bool hasNoEvents = m_session.hasReport() && m_session.isEmpty() && !action->withoutEvents;
            const QString why = isSaid ? translated(hasNoEvents ? needsEvents : need) : QString();
            const auto withReason
                = [&why](const QString& text) { return why.isEmpty() ? text : titledText(text, why); };
            made->setToolTip(withReason(m_tips[action->id]));
            made->setStatusTip(withReason(helpText(*action)));
        }
        if (*action->submenu && action->menu != MainMenu::None)
            submenus[translated(action->submenu)] |= made->isEnabled();
    }
    for (auto menu = m_submenus.cbegin(); menu != m_submenus.cend(); ++menu)
        (*menu)->menuAction()->setEnabled(submenus.value(menu.key(), true));
}

void WindowActions::updateSoon()
{
    if (!m_soon.isActive())
        m_soon.start();
}

void WindowActions::updateChecks()
{
    const ActionContext now = context();
    for (const Action* const action : allActions()) {
        if (action->checked)
            m_actions[action->id]->setChecked(isChecked(*action, now));
    }
}

void WindowActions::updateChecksSoon()
{
    if (!m_checksSoon.isActive())
        m_checksSoon.start();
}

void WindowActions::followSession()
{
    m_checksSoon.setSingleShot(true);
    connect(&m_checksSoon, &QTimer::timeout, this, &WindowActions::updateChecks);
    constexpr int joinMs = 40; // a drag changes the session many times
    m_soon.setSingleShot(true);
    m_soon.setInterval(joinMs);
    connect(&m_soon, &QTimer::timeout, this, &WindowActions::update);
    connect(&m_session, &Session::traceChanged, this, &WindowActions::update);
    connect(&m_session.time(), &TimeView::shownChanged, this, &WindowActions::updateSoon);
    connect(&m_session.time(), &TimeView::selectedRangeChanged, this, &WindowActions::updateSoon);
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, &WindowActions::updateSoon);
    connect(&m_session.selection(), &Selection::currentEventChanged, this, &WindowActions::updateSoon);
    connect(&m_session.selection(), &Selection::highlightedChanged, this, &WindowActions::updateSoon);
    connect(&m_session.selection(), &Selection::filterChanged, this, &WindowActions::updateSoon);
    connect(&m_session.rowView(), &RowView::rowLayoutChanged, this, &WindowActions::updateSoon);
}

} // namespace warpline
