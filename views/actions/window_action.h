#pragma once

#include "views/actions/action.h"

namespace warpline {

/// Appends the window's action `id` for `context` to `menu`. Nothing when the window of context.window has
/// none, as for a single panel in a test.
void addWindowAction(QMenu& menu, const char* id, const ActionContext& context);

/// Adds "Copy command line" and "What is this?" about `context` after a separator.
void addWhatIsThis(QMenu& menu, const ActionContext& context);

/// Adds a context menu with these to the texts of `panel`, and to all its parts without a menu.
void offerWhatIsThis(QWidget& panel, Session& session);

} // namespace warpline
