#pragma once

#include "views/actions/action.h"

namespace warpline {

/// Appends to `menu` the action of the window called `id`, asked about what `context` names. Nothing where
/// the window around context.window has none: a panel alone in a test.
void addWindowAction(QMenu& menu, const char* id, const ActionContext& context);

/// Adds "What is this?" about `context` below a line.
void addWhatIsThis(QMenu& menu, const ActionContext& context);

/// Gives the texts of `panel`, and all of it that has no menu of its own, one with "What is this?".
void offerWhatIsThis(QWidget& panel, Session& session);

} // namespace warpline
