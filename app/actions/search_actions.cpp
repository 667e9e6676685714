// Ways to find: the search field of the tool bar, and the list of all that can be asked for.

#include "app/actions/all_actions.h"
#include "app/main_window.h"
#include "app/search_bar.h"
#include "app/window_parts.h"
#include "views/timeline/timeline_view.h"

#include <QLineEdit>

namespace warpline {

namespace {

template <bool forward> void focusPart(const ActionContext& at)
{
    focusNextPart(*at.part<MainWindow>(), *at.part<TimelineView>(), at.part<SearchBar>()->edit(), forward);
}

constexpr Action searchActionList[]{
    {
        .id = "go.find",
        .text = QT_TRANSLATE_NOOP("Action", "F&ind"),
        .help = QT_TRANSLATE_NOOP("Action", "Find events by a part of the name or a /regular expression/"),
        .keys = "Ctrl+F; /",
        .menu = MainMenu::Go,
        .section = true,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->start(); },
    },
    {
        .id = "go.findNext",
        .text = QT_TRANSLATE_NOOP("Action", "Find ne&xt"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to the next match"),
        .keys = "F3",
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->find(true); },
    },
    {
        .id = "go.findPrevious",
        .text = QT_TRANSLATE_NOOP("Action", "Find p&revious"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to the previous match"),
        .keys = "Shift+F3",
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->find(false); },
    },
    {
        .id = "go.findList",
        .text = QT_TRANSLATE_NOOP("Action", "List matches in &Events"),
        .help = QT_TRANSLATE_NOOP("Action", "List the matching events in the Events panel"),
        .keys = "Ctrl+Return",
        .scope = KeyScope::Timeline, // the field hears it itself: other fields need it too
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->list(); },
    },
    {
        .id = "go.row",
        .text = QT_TRANSLATE_NOOP("Action", "Go to a r&ow\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Search the rows of the timeline"),
        .keys = "Ctrl+P",
        .menu = MainMenu::Go,
        .section = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showPalette(true); },
    },
    {
        .id = "go.nextPart",
        .text = QT_TRANSLATE_NOOP("Action", "Ne&xt pane"),
        .help = QT_TRANSLATE_NOOP("Action", "Move focus to the next pane"),
        .keys = "F6",
        .run = focusPart<true>,
    },
    {
        .id = "go.previousPart",
        .text = QT_TRANSLATE_NOOP("Action", "Pre&vious pane"),
        .help = QT_TRANSLATE_NOOP("Action", "Move focus to the previous pane"),
        .keys = "Shift+F6",
        .run = focusPart<false>,
    },
    {
        .id = "go.palette",
        .text = QT_TRANSLATE_NOOP("Action", "Comman&d palette\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Search all commands and rows"),
        .keys = "Ctrl+Shift+P",
        .menu = MainMenu::Go,
        .withoutReport = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showPalette(false); },
    },
};

} // namespace

std::span<const Action> searchActions()
{
    return searchActionList;
}

} // namespace warpline
