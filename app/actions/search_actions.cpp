// What the search field of the tool bar is asked for.

#include "app/actions/all_actions.h"
#include "app/search_bar.h"

namespace warpline {

namespace {

constexpr Action actions[]{
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
};

} // namespace

std::span<const Action> searchActions()
{
    return actions;
}

} // namespace warpline
