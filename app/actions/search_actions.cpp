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
        .help = QT_TRANSLATE_NOOP(
            "Action", "Find an event by a part of its name or /regular expression/; ticks show where"),
        .keys = "Ctrl+F; /",
        .menu = MainMenu::Go,
        .section = true,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->start(); },
    },
    {
        .id = "go.findNext",
        .text = QT_TRANSLATE_NOOP("Action", "Find ne&xt"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to the next event found"),
        .keys = "F3",
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->find(true); },
    },
    {
        .id = "go.findPrevious",
        .text = QT_TRANSLATE_NOOP("Action", "Find p&revious"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to the previous event found"),
        .keys = "Shift+F3",
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->find(false); },
    },
    {
        .id = "go.findList",
        .text = QT_TRANSLATE_NOOP("Action", "List what is foun&d"),
        .help
        = QT_TRANSLATE_NOOP("Action", "List the events found in the events view, from the search field"),
        .keys = "Ctrl+Return",
        .scope = KeyScope::Timeline, // the field hears it itself: other fields need it too
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<SearchBar>()->list(); },
    },
    {
        .id = "go.row",
        .text = QT_TRANSLATE_NOOP("Action", "Go to a r&ow\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to a row of the timeline by some letters of its name"),
        .keys = "Ctrl+P",
        .menu = MainMenu::Go,
        .section = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showPalette(true); },
    },
    {
        .id = "go.nextPart",
        .text = QT_TRANSLATE_NOOP("Action", "Ne&xt part of the window"),
        .help = QT_TRANSLATE_NOOP("Action", "Give the keyboard to the next part: timeline, search, panels"),
        .keys = "F6",
        .run = focusPart<true>,
    },
    {
        .id = "go.previousPart",
        .text = QT_TRANSLATE_NOOP("Action", "Pre&vious part of the window"),
        .help = QT_TRANSLATE_NOOP("Action", "Give the keyboard to the part before"),
        .keys = "Shift+F6",
        .run = focusPart<false>,
    },
    {
        .id = "go.palette",
        .text = QT_TRANSLATE_NOOP("Action", "Fi&nd what to do\u2026"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Do anything that Warpline can, or go to a row, by some letters of its name"),
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
