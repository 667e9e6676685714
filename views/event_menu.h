#pragma once

#include "core/store/event_kind.h"

class QMenu;

namespace warpline {

class Session;

/// Adds what can be done with `event` to a context menu: zoom, range, filters, highlights, copies. The same
/// in the timeline and in the events view. `session` must outlive the menu.
void addEventActions(QMenu& menu, Session& session, EventRef event);

} // namespace warpline
