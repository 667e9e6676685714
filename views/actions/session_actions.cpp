// The view of the report, and its marks, filters and hidden rows.

#include "views/actions/action.h"

#include "views/session/session.h"

namespace warpline {

namespace {

constexpr double zoomStep = 0.6;

void zoomAtMiddle(Session& session, double factor)
{
    const TimeRange shown = session.time().shown();
    session.time().zoomAt(shown.start + shown.duration() / 2, factor, Manner::Notch);
}

constexpr Action sessionActionList[]{
    {
        .id = "go.back",
        .text = QT_TRANSLATE_NOOP("Action", "&Back"),
        .help = QT_TRANSLATE_NOOP("Action", "Go back to the previous view"),
        .keys = "Alt+Left; Backspace",
        .scope = KeyScope::UnlessTyping,
        .icon = "back",
        .menu = MainMenu::Go,
        .section = true,
        .enabled = [](const ActionContext& at) { return at.session.time().canGoBack(); },
        .run = [](const ActionContext& at) { at.session.time().goBack(); },
    },
    {
        .id = "go.forward",
        .text = QT_TRANSLATE_NOOP("Action", "&Forward"),
        .help = QT_TRANSLATE_NOOP("Action", "Go forward to the next view"),
        .keys = "Alt+Right",
        .scope = KeyScope::UnlessTyping,
        .icon = "forward",
        .menu = MainMenu::Go,
        .enabled = [](const ActionContext& at) { return at.session.time().canGoForward(); },
        .run = [](const ActionContext& at) { at.session.time().goForward(); },
    },
    {
        .id = "go.all",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom to &whole report"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the whole report"),
        .keys = "Home; 0",
        .scope = KeyScope::UnlessTyping,
        .icon = "show-all",
        .menu = MainMenu::Go,
        .context = ContextMenu::Everywhere,
        .section = true,
        .run = [](const ActionContext& at) { at.session.time().showAll(); },
    },
    {
        .id = "go.selection",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom to se&lection"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom to the selected range or event"),
        .keys = "Shift+Z",
        .scope = KeyScope::UnlessTyping,
        .icon = "zoom-selection",
        .menu = MainMenu::Go,
        .context = ContextMenu::Everywhere,
        .enabled =
            [](const ActionContext& at) {
                return !at.session.time().selectedRange().empty()
                    || !at.session.selection().markedRange().empty()
                    || at.session.selection().currentEvent().valid();
            },
        .run = [](const ActionContext& at) { at.session.selection().zoomToSelection(); },
    },
    {
        .id = "view.zoomIn",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom &in"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom in at the center"),
        .keys = "Ctrl++; Ctrl+=",
        .icon = "zoom-in",
        .menu = MainMenu::View,
        .section = true,
        .run = [](const ActionContext& at) { zoomAtMiddle(at.session, zoomStep); },
    },
    {
        .id = "view.zoomOut",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom &out"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom out at the center"),
        .keys = "Ctrl+-",
        .icon = "zoom-out",
        .menu = MainMenu::View,
        .run = [](const ActionContext& at) { zoomAtMiddle(at.session, 1 / zoomStep); },
    },
    {
        .id = "view.clearHighlights",
        .text = QT_TRANSLATE_NOOP("Action", "Clear highlights"),
        .help = QT_TRANSLATE_NOOP("Action", "Remove highlights"),
        .menu = MainMenu::View,
        .context = ContextMenu::Everywhere,
        .section = true,
        .enabled = [](const ActionContext& at) { return at.session.selection().highlightsAny(); },
        .run = [](const ActionContext& at) { at.session.selection().clearHighlights(); },
    },
    {
        .id = "view.clearFilter",
        .text = QT_TRANSLATE_NOOP("Action", "Clear &filter"),
        .help = QT_TRANSLATE_NOOP("Action", "Remove the filter"),
        .menu = MainMenu::View,
        .context = ContextMenu::Everywhere,
        .enabled = [](const ActionContext& at) { return at.session.selection().filter() != EventFilter(); },
        .run = [](const ActionContext& at) { at.session.selection().setFilter({}); },
    },
    {
        .id = "view.showHiddenRows",
        .text = QT_TRANSLATE_NOOP("Action", "Show &hidden rows"),
        .help = QT_TRANSLATE_NOOP("Action", "Show hidden rows again"),
        .menu = MainMenu::View,
        .context = ContextMenu::Everywhere,
        .enabled = [](const ActionContext& at) { return at.session.rowView().hidesRows(); },
        .run = [](const ActionContext& at) { at.session.rowView().showAllRows(); },
    },
};

} // namespace

std::span<const Action> sessionActions()
{
    return sessionActionList;
}

} // namespace warpline
