// The View menu: panels, layout, theme, colours.

#include "app/actions/all_actions.h"
#include "app/inspector_history.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/theme_choice.h"
#include "app/view_command.h"
#include "views/panels/panel.h"
#include "views/session/run_pair.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>

#include <list>
#include <string>
#include <vector>

namespace warpline {

namespace {

/// The part of the action's id after the dot.
QString nameOf(const ActionContext& at)
{
    return QString(at.action->id).section('.', 1);
}

bool isOpen(const ActionContext& at)
{
    return at.part<MainWindow>()->docks().isPanelOpen(nameOf(at));
}

void toggle(const ActionContext& at)
{
    at.part<MainWindow>()->docks().togglePanel(nameOf(at));
}

template <PanelPlace place> void togglePlace(const ActionContext& at)
{
    at.part<MainWindow>()->docks().togglePlace(place);
}

template <PanelPlace place> bool isPlaceOpen(const ActionContext& at)
{
    return at.part<MainWindow>()->docks().isPlaceOpen(place);
}

template <MainWindow::Mode mode> bool isIn(const ActionContext& at)
{
    return at.part<MainWindow>()->mode() == mode;
}

template <MainWindow::Mode mode> void enter(const ActionContext& at)
{
    at.part<MainWindow>()->enter(mode);
}

/// The widget with the focus, or that had it before the command palette.
const QWidget* placeInUse(const MainWindow& window)
{
    const QWidget* const focus = QApplication::focusWidget();
    return focus && qobject_cast<const QDockWidget*>(focus->window()) ? focus : window.focusWidget();
}

/// Chooses the theme of the id after the dot. `section`: the first one.
constexpr Action themeAction(const char* id, const char* text, const char* help, bool section = false)
{
    return {
        .id = id,
        .text = text,
        .help = help,
        .section = section,
        .withoutReport = true,
        .oneOf = true,
        .checked = [](const ActionContext& at) { return chosenThemeName() == nameOf(at); },
        .run = [](const ActionContext& at) { at.part<MainWindow>()->chooseTheme(nameOf(at)); },
    };
}

constexpr Action viewActionList[]{
    {
        .id = "mode.timeline",
        .text = QT_TRANSLATE_NOOP("Action", "&Timeline"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the timeline of one run"),
        .oneOf = true,
        .enabled =
            [](const ActionContext& at) {
                auto& window = *at.part<MainWindow>();
                return !window.session().pair().isOn() || window.canEndComparison();
            },
        .checked = isIn<MainWindow::Mode::Timeline>,
        .run = enter<MainWindow::Mode::Timeline>,
    },
    {
        .id = "mode.compare",
        .text = QT_TRANSLATE_NOOP("Action", "Co&mpare\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Compare two runs"),
        .withoutReport = true,
        .oneOf = true,
        .checked = isIn<MainWindow::Mode::Compare>,
        .run = enter<MainWindow::Mode::Compare>,
    },
    {
        .id = "mode.ranks",
        .text = QT_TRANSLATE_NOOP("Action", "R&anks"),
        .help = QT_TRANSLATE_NOOP("Action", "Compare the ranks of one run"),
        .oneOf = true,
        .checked = isIn<MainWindow::Mode::Ranks>,
        .run = enter<MainWindow::Mode::Ranks>,
    },
    {
        .id = "view.inspector",
        .text = QT_TRANSLATE_NOOP("Action", "I&nspector"),
        .help = QT_TRANSLATE_NOOP("Action", "Show or hide the inspector"),
        .keys = "I",
        .scope = KeyScope::UnlessTyping,
        .section = true,
        .checked = isPlaceOpen<PanelPlace::Beside>,
        .run = togglePlace<PanelPlace::Beside>,
    },
    {
        .id = "view.drawer",
        .text = QT_TRANSLATE_NOOP("Action", "&Drawer"),
        .help = QT_TRANSLATE_NOOP("Action", "Show or hide the drawer"),
        .keys = "J",
        .scope = KeyScope::UnlessTyping,
        .checked = isPlaceOpen<PanelPlace::Below>,
        .run = togglePlace<PanelPlace::Below>,
    },
    {
        .id = "inspector.back",
        .text = QT_TRANSLATE_NOOP("Action", "Inspector bac&k"),
        .help = QT_TRANSLATE_NOOP("Action", "Go back in the inspector"),
        .keys = "Ctrl+[",
        .enabled
        = [](const ActionContext& at) { return at.part<MainWindow>()->docks().inspected().canGoBack(); },
        .run = [](const ActionContext& at) { at.part<MainWindow>()->docks().inspected().goBack(); },
    },
    {
        .id = "inspector.forward",
        .text = QT_TRANSLATE_NOOP("Action", "In&spector forward"),
        .help = QT_TRANSLATE_NOOP("Action", "Go forward in the inspector"),
        .keys = "Ctrl+]",
        .enabled
        = [](const ActionContext& at) { return at.part<MainWindow>()->docks().inspected().canGoForward(); },
        .run = [](const ActionContext& at) { at.part<MainWindow>()->docks().inspected().goForward(); },
    },
    {
        .id = "view.float",
        .text = QT_TRANSLATE_NOOP("Action", "Open panel in new &window"),
        .help = QT_TRANSLATE_NOOP("Action", "Open the active panel in its own window, or dock it again"),
        .run = [](const ActionContext& at) { at.part<MainWindow>()->docks().floatPanel(); },
    },
    {
        .id = "view.resetLayout",
        .text = QT_TRANSLATE_NOOP("Action", "Reset the &layout"),
        .help = QT_TRANSLATE_NOOP("Action", "Restore the default panel layout"),
        .run = [](const ActionContext& at) { at.part<MainWindow>()->docks().resetLayout(); },
    },
    {
        .id = "view.copyCommand",
        .text = QT_TRANSLATE_NOOP("Action", "Cop&y command line"),
        .help = QT_TRANSLATE_NOOP("Action", "Copy commands that reopen this view"),
        .run =
            [](const ActionContext& at) {
                auto& window = *at.part<MainWindow>();
                const ViewCommands commands
                    = commandsOf(window, at.window == &window ? placeInUse(window) : at.window);
                QStringList lines{commands.window, commands.terminal, commands.note};
                lines.removeAll(QString());
                QApplication::clipboard()->setText(lines.join('\n'));
            },
    },
    themeAction("theme.system", QT_TRANSLATE_NOOP("Action", "System theme"),
        QT_TRANSLATE_NOOP("Action", "Follow the desktop theme"), true),
    themeAction("theme.light", QT_TRANSLATE_NOOP("Action", "Light theme"),
        QT_TRANSLATE_NOOP("Action", "Use the light theme")),
    themeAction("theme.dark", QT_TRANSLATE_NOOP("Action", "Dark theme"),
        QT_TRANSLATE_NOOP("Action", "Use the dark theme")),
    themeAction("theme.contrast-light", QT_TRANSLATE_NOOP("Action", "High contrast, light"),
        QT_TRANSLATE_NOOP("Action", "Use the light high-contrast theme")),
    themeAction("theme.contrast-dark", QT_TRANSLATE_NOOP("Action", "High contrast, dark"),
        QT_TRANSLATE_NOOP("Action", "Use the dark high-contrast theme")),
    {
        .id = "theme.colorBlindSafe",
        .text = QT_TRANSLATE_NOOP("Action", "Color-&blind safe colors"),
        .help = QT_TRANSLATE_NOOP("Action", "Use a palette that is safe for red-green color blindness"),
        .withoutReport = true,
        .checked = [](const ActionContext&) { return choosesColorBlindSafe(); },
        .run =
            [](const ActionContext& at) {
                at.part<MainWindow>()->chooseColorBlindSafe(!choosesColorBlindSafe());
            },
    },
};

} // namespace

std::span<const Action> viewActions()
{
    static constexpr auto actions
        = actionsLike({.menu = MainMenu::View, .withoutEvents = true}, viewActionList);
    return actions;
}

std::span<const Action> panelActions()
{
    static std::list<std::string> ids; // the actions point to them
    static const std::vector<Action> list = [] {
        std::vector<Action> found;
        for (const PanelKind* const kind : allPanels()) {
            found.push_back({
                .id = ids.emplace_back(std::string("panel.") + kind->id).c_str(),
                .text = kind->title,
                .help = kind->help,
                .keys = kind->keys,
                .menu = MainMenu::View,
                .submenu = QT_TRANSLATE_NOOP("Action", "&Panels"),
                .withoutEvents = true,
                .checked = isOpen,
                .run = toggle,
            });
        }
        return found;
    }();
    return list;
}

} // namespace warpline
