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

constexpr Action fileActionList[]{
    {
        .id = "file.open",
        .text = QT_TRANSLATE_NOOP("Action", "&Open\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Open one or more reports"),
        .keys = "Ctrl+O",
        .icon = "open",
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).askForFile(); },
    },
    {
        .id = "file.folder",
        .text = QT_TRANSLATE_NOOP("Action", "Open a &folder\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Open all reports of a folder"),
        .keys = "Ctrl+Shift+O",
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).askForFolder(); },
    },
    {
        .id = "file.add",
        .text = QT_TRANSLATE_NOOP("Action", "&Add reports\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Add reports to the open ones"),
        .keys = "Ctrl+Shift+A",
        .run = [](const ActionContext& at) { windowOf(at).askForMore(); },
    },
    {
        .id = "file.reports",
        .text = QT_TRANSLATE_NOOP("Action", "&Reports\u2026"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Show names, ranks and clocks of the open reports, and choose which are shown"),
        .keys = "Ctrl+Shift+R",
        .run = [](const ActionContext& at) { windowOf(at).chooseReports(); },
    },
    {
        .id = "file.reload",
        .text = QT_TRANSLATE_NOOP("Action", "Reload f&iles"),
        .help = QT_TRANSLATE_NOOP("Action", "Read the open reports again, and keep the view"),
        .keys = "F5",
        .run = [](const ActionContext& at) { emit windowOf(at).reloadWanted(); },
    },
    {
        .id = "file.compare",
        .text = QT_TRANSLATE_NOOP("Action", "&Compare with\u2026"),
        .help
        = QT_TRANSLATE_NOOP("Action", "Compare the open report with another run, or choose two reports"),
        .keys = "Ctrl+D",
        .section = true,
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).askWhatToCompare(); },
    },
    {
        .id = "file.compareOpen",
        .text = QT_TRANSLATE_NOOP("Action", "Compare the t&wo open reports"),
        .help = QT_TRANSLATE_NOOP("Action", "Compare the two open reports"),
        .enabled = [](const ActionContext& at) { return windowOf(at).canCompareOpen(); },
        .run = [](const ActionContext& at) { windowOf(at).compareOpenReports(); },
    },
    {
        .id = "file.swap",
        .text = QT_TRANSLATE_NOOP("Action", "Swap A and &B"),
        .help = QT_TRANSLATE_NOOP("Action", "Swap A and B"),
        .enabled = [](const ActionContext& at) { return windowOf(at).canEndComparison(); },
        .run = [](const ActionContext& at) { windowOf(at).swapCompared(); },
    },
    {
        .id = "file.endComparison",
        .text = QT_TRANSLATE_NOOP("Action", "E&nd the comparison"),
        .help = QT_TRANSLATE_NOOP("Action", "Close B, unless both reports were open before"),
        .enabled = [](const ActionContext& at) { return windowOf(at).canEndComparison(); },
        .run = [](const ActionContext& at) { windowOf(at).endComparison(); },
    },
    {
        .id = "file.record",
        .text = QT_TRANSLATE_NOOP("Action", "Recor&d a report\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Get the command that records what you want to know"),
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).showRecording(); },
    },
    {
        .id = "file.sample",
        .text = QT_TRANSLATE_NOOP("Action", "Open the sa&mple"),
        .help = QT_TRANSLATE_NOOP("Action", "Open the report that comes with Warpline"),
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
        .text = QT_TRANSLATE_NOOP("Action", "C&lose"),
        .help = QT_TRANSLATE_NOOP("Action", "Close all open reports"),
        .keys = "Ctrl+W",
        .run = [](const ActionContext& at) { windowOf(at).closeReport(); },
    },
    {
        .id = "file.saveView",
        .text = QT_TRANSLATE_NOOP("Action", "&Save view"),
        .help
        = QT_TRANSLATE_NOOP("Action", "Save view, rows, bookmarks, notes and thresholds next to the report"),
        .keys = "Ctrl+S",
        .section = true,
        .run = [](const ActionContext& at) { windowOf(at).saveView(); },
    },
    {
        .id = "file.saveViewAs",
        .text = QT_TRANSLATE_NOOP("Action", "Save &view as\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Save the view to another file"),
        .keys = "Ctrl+Shift+S",
        .run = [](const ActionContext& at) { windowOf(at).saveViewAs(); },
    },
    {
        .id = "file.picture",
        .text = QT_TRANSLATE_NOOP("Action", "&Picture of the window\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Save the window as a picture"),
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .run = [](const ActionContext& at) { windowOf(at).savePicture(); },
    },
    {
        .id = "file.preferences",
        .text = QT_TRANSLATE_NOOP("Action", "&Preferences\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Set theme, shortcuts and finding thresholds"),
        .keys = "Ctrl+,",
        .section = true,
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).choosePreferences(); },
    },
    {
        .id = "file.quit",
        .text = QT_TRANSLATE_NOOP("Action", "&Quit"),
        .help = QT_TRANSLATE_NOOP("Action", "Quit Warpline"),
        .keys = "Ctrl+Q",
        .section = true,
        .withoutReport = true,
        .run = [](const ActionContext& at) { windowOf(at).close(); },
    },
};

} // namespace

std::span<const Action> fileActions()
{
    static constexpr auto actions
        = actionsLike({.menu = MainMenu::File, .withoutEvents = true}, fileActionList);
    return actions;
}

} // namespace warpline
