#pragma once

#include "core/base/ids.h"
#include "core/workspace/event_id.h"

#include <QString>
#include <QWidget>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

class QAction;
class QMenu;

namespace warpline {

class Session;
struct Action;

/// The subject of an action, and the window where it was triggered.
struct ActionContext {
    Session& session;
    QWidget* window = nullptr; ///< the window, or a part of it, where it was triggered
    EventId event; ///< the one under the mouse, else the current one; not valid(): none
    RowId row{}; ///< the one under the mouse, else the selected one; RowTree::root: none
    int heldKey = 0; ///< the pressed key that started it; 0: a menu did
    const Action* action = nullptr; ///< the action itself: set by perform(), isEnabled() and isChecked()

    /// The part of the window of this class, around or inside `window`; nullptr where there is none.
    template <typename Part> Part* part() const
    {
        for (QWidget* at = window; at; at = at->parentWidget()) {
            if (auto* const found = qobject_cast<Part*>(at))
                return found;
        }
        return window ? window->template findChild<Part*>() : nullptr;
    }
};

enum class MainMenu : std::uint8_t { None, File, View, Go, Help };

/// In which context menus of the timeline and of lists an action stands.
enum class ContextMenu : std::uint8_t { None, Event, Row, Everywhere };

/// Where the keys of an action are heard.
enum class KeyScope : std::uint8_t {
    Window, ///< in all of the window; a text field in use takes those that it knows
    UnlessTyping, ///< in all of the window, but not while text is typed: most are letters
    Timeline, ///< only where the timeline has the keyboard: lists need these themselves
};

/// A user action. Menus, tool bar, context menus, shortcuts and their overview, and the README's table come
/// from lists of these. Texts are marked for translation in the context "Action".
struct Action {
    const char* id = ""; ///< "go.back": in the settings, unique
    const char* text = ""; ///< in menus, with & before the letter that chooses it there
    const char* help = ""; ///< description, in the imperative and without a full stop
    const char* keys = ""; ///< at first: "Alt+Left; Backspace"; empty: none
    KeyScope scope = KeyScope::Window;
    const char* icon = ""; ///< of resources/icons; such actions are in the tool bar
    MainMenu menu = MainMenu::None;
    const char* submenu = ""; ///< title of the menu in that menu that holds it
    ContextMenu context = ContextMenu::None;
    bool section = false; ///< in menus a line is drawn above it
    bool withoutReport = false; ///< can be asked for when no report is open
    bool withoutEvents = false; ///< can be asked for when the open report has no events
    bool oneOf = false; ///< exclusive within its menu: shown as a radio button
    bool (*enabled)(const ActionContext&) = nullptr; ///< nullptr: always
    bool (*checked)(const ActionContext&) = nullptr; ///< not nullptr: is on or off
    QString (*contextText)(const ActionContext&) = nullptr; ///< in context menus in place of `text`
    void (*run)(const ActionContext&) = nullptr;
};

/// A list of actions that have the menu, submenu and context of `common`, unless they name their own, and are
/// withoutReport and withoutEvents where it is.
template <std::size_t count>
constexpr std::array<Action, count> actionsLike(const Action& common, const Action (&own)[count])
{
    std::array<Action, count> actions = std::to_array(own);
    for (Action& action : actions) {
        action.menu = action.menu == MainMenu::None ? common.menu : action.menu;
        action.submenu = *action.submenu ? action.submenu : common.submenu;
        action.context = action.context == ContextMenu::None ? common.context : action.context;
        action.withoutReport = action.withoutReport || common.withoutReport;
        action.withoutEvents = action.withoutEvents || common.withoutEvents;
    }
    return actions;
}

/// Whether the panels are about the session of `context`: those of a comparison are about A.
bool hasPanels(const ActionContext& context);
/// Whether all of the reports is read: a file would lack the rest.
bool areReportsRead(const ActionContext& context);

/// Whether `action` applies now. Context menus leave out disabled actions, other menus show them disabled.
bool isEnabled(const Action& action, ActionContext context);
/// Whether it is on; false for actions without a state.
bool isChecked(const Action& action, ActionContext context);
/// Does it, when it is enabled; false when it is not.
bool perform(const Action& action, ActionContext context);

/// The translated text for a menu.
QString menuText(const Action& action);
/// The same without &.
QString nameText(const Action& action);
/// The same behind the title of its submenu: "Export: Findings", for lists of actions.
QString plainText(const Action& action);
QString helpText(const Action& action);
/// plainText() in English, whatever the language is, for searches.
QString englishText(const Action& action);

/// Shows the check state of `action` in its entry `made` of `menu`, as radio button if exclusive.
void showCheck(QMenu& menu, QAction& made, const Action& action, const ActionContext& context);

/// Appends `action`, without its keys: the menu must not outlive the objects of `context`.
void addAction(QMenu& menu, const Action& action, const ActionContext& context);

/// Appends those of `actions` that belong into context menus of `place` and are enabled, in order.
void addContextActions(
    QMenu& menu, std::span<const Action> actions, ContextMenu place, const ActionContext& context);

/// Makes all of `actions` the entries of `menu`, with their help as tips and disabled ones grey. The menu
/// must not outlive the objects of `context`.
void fillMenu(QMenu& menu, std::span<const Action> actions, const ActionContext& context);

/// Actions for the session: the view, marks and filters.
std::span<const Action> sessionActions();
/// Actions for the colouring of events.
std::span<const Action> colorActions();
/// How counters are drawn.
std::span<const Action> counterActions();
/// Actions for two compared runs, or two ranges of one.
std::span<const Action> compareActions();
/// Actions for an event: zoom, range, filters, highlights, copies.
std::span<const Action> eventActions();
/// Actions for a row: pin, hide, expand, resize.
std::span<const Action> rowActions();

} // namespace warpline
