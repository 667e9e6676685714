// The Help menu.

#include "app/actions/all_actions.h"
#include "app/help_browser.h"
#include "app/main_window.h"

namespace warpline {

namespace {

constexpr Action helpActionList[]{
    {
        .id = "help.documents",
        .text = QT_TRANSLATE_NOOP("Action", "&Documentation"),
        .help = QT_TRANSLATE_NOOP("Action", "Open the documentation, offline"),
        .withoutReport = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showHelp("docs/README.md"); },
    },
    {
        .id = "help.place",
        .text = QT_TRANSLATE_NOOP("Action", "What &is this?"),
        .help = QT_TRANSLATE_NOOP("Action", "Explain the finding, event, row, table or panel in use"),
        .keys = "Shift+F1",
        .run =
            [](const ActionContext& at) {
                const HelpPlace place = helpPlaceOf(at);
                at.part<MainWindow>()->showHelp(place.page, place.text);
            },
    },
    {
        .id = "help.keys",
        .text = QT_TRANSLATE_NOOP("Action", "&Keyboard shortcuts"),
        .help = QT_TRANSLATE_NOOP("Action", "List keys and mouse gestures"),
        .keys = "F1; ?",
        .withoutReport = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showKeys(); },
    },
    {
        .id = "help.reading",
        .text = QT_TRANSLATE_NOOP("Action", "How to &read a timeline"),
        .help = QT_TRANSLATE_NOOP("Action", "Explain rows, bars and gaps with pictures"),
        .withoutReport = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showReading(); },
    },
    {
        .id = "help.words",
        .text = QT_TRANSLATE_NOOP("Action", "&Glossary"),
        .help = QT_TRANSLATE_NOOP("Action", "Look up terms used in Warpline"),
        .withoutReport = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showWords(); },
    },
    {
        .id = "help.about",
        .text = QT_TRANSLATE_NOOP("Action", "&About Warpline"),
        .help = QT_TRANSLATE_NOOP("Action", "Show version and license"),
        .withoutReport = true,
        .run = [](const ActionContext& at) { at.part<MainWindow>()->showAbout(); },
    },
};

} // namespace

std::span<const Action> helpActions()
{
    static constexpr auto actions = actionsLike({.menu = MainMenu::Help}, helpActionList);
    return actions;
}

} // namespace warpline
