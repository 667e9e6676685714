#pragma once

#include "views/actions/action.h"

#include <QString>

#include <vector>

namespace warpline {

/// All actions in the order of menus and tool bar: the window's, those of panels, timeline, events and rows.
/// A new one is an entry in the list of its kind; menus, shortcuts, their overview, the preferences and the
/// manual's table follow (a test compares the table).
const std::vector<const Action*>& allActions();
/// The action with `id`; nullptr when there is none.
const Action* findAction(const QString& id);

std::span<const Action> fileActions();
std::span<const Action> exportActions();
std::span<const Action> viewActions();
std::span<const Action> searchActions();
std::span<const Action> helpActions();
/// One for each of allPanels(): "panel." and its id.
std::span<const Action> panelActions();

/// A mouse gesture in the timeline: not an action, but listed with the shortcuts.
struct Gesture {
    const char* mouse; ///< "Shift+wheel"; both marked for translation in the context "Action"
    const char* help;
};
std::span<const Gesture> allGestures();

} // namespace warpline
