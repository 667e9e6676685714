// Exports of a report to a file. Tables and findings have theirs in their panels.

#include "app/actions/all_actions.h"
#include "app/part_export.h"
#include "views/session/session.h"

namespace warpline {

namespace {

constexpr Action exportActionList[]{
    {
        .id = "export.trace",
        .text = QT_TRANSLATE_NOOP("Action", "&Chrome trace\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Export events as JSON for Perfetto"),
        .enabled = areReportsRead,
        .run = [](const ActionContext& at) { at.part<PartExport>()->askForTrace(); },
    },
    {
        .id = "export.cut",
        .text = QT_TRANSLATE_NOOP("Action", "P&art of the report\u2026"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Export a range as a smaller report, with private data removed if you want"),
        .enabled
        = [](const ActionContext& at) { return areReportsRead(at) && PartExport::canCut(at.session); },
        .run = [](const ActionContext& at) { at.part<PartExport>()->askForCut(); },
    },
};

} // namespace

std::span<const Action> exportActions()
{
    static constexpr auto actions = actionsLike(
        {.menu = MainMenu::File, .submenu = QT_TRANSLATE_NOOP("Action", "&Export")}, exportActionList);
    return actions;
}

} // namespace warpline
