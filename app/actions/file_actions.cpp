// The File menu. Recent reports are not in the list: they are entries of their own.

#include "app/actions/all_actions.h"
#include "app/main_window.h"
#include "app/start_page.h"

namespace warpline {

namespace {

MainWindow& windowOf(const ActionContext& at)
{
    return *at.part<MainWindow>();
}

constexpr Action actions[]{
    {
        .id = "file.open",
        .text = QT_TRANSLATE_NOOP("Action", "&Open\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Open a report"),
        .keys = "Ctrl+O",
        .icon = "open",
        .menu = MainMenu::File,
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).askForFile(); },
    },
    {
        .id = "file.sample",
        .text = QT_TRANSLATE_NOOP("Action", "Open the &sample"),
        .help = QT_TRANSLATE_NOOP("Action", "Open the report that comes with Warpline"),
        .menu = MainMenu::File,
        .withoutReport = true,
        .enabled =
            [](const ActionContext&) {
                static const bool isInstalled = !StartPage::samplePath().isEmpty();
                return isInstalled;
            },
        .run = [](const ActionContext& at) { windowOf(at).open(StartPage::samplePath()); },
    },
    {
        .id = "file.close",
        .text = QT_TRANSLATE_NOOP("Action", "&Close"),
        .help = QT_TRANSLATE_NOOP("Action", "Close the report"),
        .keys = "Ctrl+W",
        .menu = MainMenu::File,
        .run = [](const ActionContext& at) { windowOf(at).closeReport(); },
    },
    {
        .id = "file.picture",
        .text = QT_TRANSLATE_NOOP("Action", "&Picture of the window\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Write what the window shows as a picture"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .run = [](const ActionContext& at) { windowOf(at).savePicture(); },
    },
    {
        .id = "file.preferences",
        .text = QT_TRANSLATE_NOOP("Action", "&Preferences\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Choose theme, keys and the thresholds of the rules"),
        .keys = "Ctrl+,",
        .menu = MainMenu::File,
        .section = true,
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).choosePreferences(); },
    },
    {
        .id = "file.quit",
        .text = QT_TRANSLATE_NOOP("Action", "&Quit"),
        .help = QT_TRANSLATE_NOOP("Action", "Quit Warpline"),
        .keys = "Ctrl+Q",
        .menu = MainMenu::File,
        .section = true,
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).close(); },
    },
};

} // namespace

std::span<const Action> fileActions()
{
    return actions;
}

} // namespace warpline
