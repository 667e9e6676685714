#pragma once

#include "core/base/ids.h"
#include "core/workspace/event_id.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <span>

class QAction;
class QMenu;

namespace warpline {

class Session;
struct Action;

/// About what, and in which window, something is asked for.
struct ActionContext {
    Session& session;
    QWidget* window = nullptr; ///< where it was asked for: the window, or a part of it
    EventId event; ///< the one under the mouse, else the current one; not valid(): none
    RowId row{}; ///< the one under the mouse, else the selected one; RowTree::root: none
    int heldKey = 0; ///< the key that is down and asked for it; 0: a menu did
    const Action* action = nullptr; ///< what is asked for: set by perform(), isEnabled() and isChecked()

    /// The part of the window of this class; nullptr where there is none.
    template <typename Part> Part* part() const
    {
        auto* const itself = qobject_cast<Part*>(window);
        return itself || !window ? itself : window->template findChild<Part*>();
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

/// Something that the user can ask for. Menus, tool bar, context menus, keys and their sheet, and the
/// README's table come from lists of these, so that each is said once. Texts are marked for translation in
/// the context "Action".
struct Action {
    const char* id; ///< "go.back": in the settings, unique
    const char* text; ///< in menus, with & before the letter that chooses it there
    const char* help = ""; ///< what it does, in the imperative and without a full stop
    const char* keys = ""; ///< at first: "Alt+Left; Backspace"; empty: none
    KeyScope scope = KeyScope::Window;
    const char* icon = ""; ///< of resources/icons; such actions stand in the tool bar
    MainMenu menu = MainMenu::None;
    const char* submenu = ""; ///< title of the menu in that menu that holds it
    ContextMenu context = ContextMenu::None;
    bool section = false; ///< in menus a line is drawn above it
    bool withoutReport = false; ///< can be asked for when no report is open
    bool oneOf = false; ///< one of several of its menu of which one holds: it has a dot there, not a tick
    bool (*enabled)(const ActionContext&) = nullptr; ///< nullptr: always
    bool (*checked)(const ActionContext&) = nullptr; ///< not nullptr: is on or off
    void (*run)(const ActionContext&) = nullptr;
};

/// Whether `action` makes sense now. Context menus leave out what does not, other menus show it disabled.
bool isEnabled(const Action& action, ActionContext context);
/// Whether it is on; false for one that is never on or off.
bool isChecked(const Action& action, ActionContext context);
/// Does it, when it is enabled; false when it is not.
bool perform(const Action& action, ActionContext context);

/// The text in the user's language, for a menu.
QString menuText(const Action& action);
/// The same without &.
QString nameText(const Action& action);
/// The same behind the title of its submenu: "Export: Findings", for lists of actions.
QString plainText(const Action& action);
QString helpText(const Action& action);

/// Shows in `made`, the entry of `menu` for `action`, whether it is on, and whether it is one of several.
void showCheck(QMenu& menu, QAction& made, const Action& action, const ActionContext& context);

/// Appends `action`, without its keys: the menu must not outlive what `context` names.
void addAction(QMenu& menu, const Action& action, const ActionContext& context);

/// Appends those of `actions` that stand in context menus of `place` and are enabled, in their order.
void addContextActions(
    QMenu& menu, std::span<const Action> actions, ContextMenu place, const ActionContext& context);

/// What is done with the session as a whole: where it is looked at, what is marked and filtered.
std::span<const Action> sessionActions();
/// What the colours of events tell.
std::span<const Action> colorActions();
/// How counters are drawn.
std::span<const Action> counterActions();
/// What is done with two runs that are compared, or two ranges of one.
std::span<const Action> compareActions();
/// What is done with an event: zoom, range, filters, highlights, copies.
std::span<const Action> eventActions();
/// What is done with a row: pin, hide, open, stretch.
std::span<const Action> rowActions();

} // namespace warpline
