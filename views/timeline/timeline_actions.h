#pragma once

#include "views/actions/action.h"

#include <vector>

class QKeyEvent;

namespace warpline {

/// Keyboard actions of the timeline: zoom and pan at the mouse, steps from event to event.
std::span<const Action> timelineActions();

/// Actions for bookmarks.
std::span<const Action> markActions();
/// Which rows are shown.
std::span<const Action> rowFilterActions();

/// All actions whose keys the timeline handles itself, wherever in the window they are pressed: its own, and
/// those of the session that are not KeyScope::Window.
const std::vector<const Action*>& timelineKeyActions();

/// The motion for this position on the keyboard: W, A, S and D are adjacent on every layout, whatever their
/// letters. nullptr: another position, or the user chose another key.
const Action* actionAtPlace(const QKeyEvent& event);

} // namespace warpline
