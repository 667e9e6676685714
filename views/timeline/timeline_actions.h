#pragma once

#include "views/actions/action.h"

#include <vector>

class QKeyEvent;

namespace warpline {

/// What is done by keys in the timeline: zoom and pan at the mouse, steps from event to event.
std::span<const Action> timelineActions();

/// What is done with the user's marks.
std::span<const Action> markActions();
/// Which rows are shown.
std::span<const Action> rowFilterActions();

/// All whose keys the timeline answers itself, wherever in the window they were pressed: its own, and those
/// of the session that are not KeyScope::Window.
const std::vector<const Action*>& timelineKeyActions();

/// The motion whose key is at this place of the keyboard: W, A, S and D lie together on every layout,
/// whatever letters stand on them. nullptr: another place, or the user chose another key for it.
const Action* actionAtPlace(const QKeyEvent& event);

} // namespace warpline
