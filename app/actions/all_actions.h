#pragma once

#include "views/actions/action.h"

#include <QString>

#include <vector>

namespace warpline {

/// Everything that the user can ask for, in the order of menus and tool bar: the window's actions, those of
/// the panels, of the timeline, of events and rows. A new one is an entry in the list of its kind; menus,
/// keys, their sheet, the preferences and the manual's table follow (a test holds the table to it).
const std::vector<const Action*>& allActions();
/// The one called `id`; nullptr when there is none.
const Action* findAction(const QString& id);

std::span<const Action> fileActions();
std::span<const Action> exportActions();
std::span<const Action> viewActions();
std::span<const Action> searchActions();
std::span<const Action> helpActions();
/// One for each of allPanels(): "panel." and its id.
std::span<const Action> panelActions();

/// What the mouse does in the timeline: no actions, but on the sheet of keys.
struct Gesture {
    const char* mouse; ///< "Shift+wheel"; both marked for translation in the context "Action"
    const char* help;
};
std::span<const Gesture> allGestures();

} // namespace warpline
