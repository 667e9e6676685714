#pragma once

#include "views/actions/action.h"

#include <QKeySequence>
#include <QList>

class QKeyEvent;

namespace warpline {

/// The keys of an action: those that the user chose (settings, "keys/" and the id), else the default ones.
QList<QKeySequence> keysOf(const Action& action);
QList<QKeySequence> defaultKeysOf(const Action& action);

/// Remembers `keys`; empty ones are left out, the default leaves no trace in the settings.
void setKeys(const Action& action, const QList<QKeySequence>& keys);

/// "Ctrl+F or /", as this desktop writes keys; empty without any.
QString keysText(const QList<QKeySequence>& keys);

/// The description and the shortcuts of the action, for a button's tooltip.
QString tipOf(const Action& action);

/// Whether `event` is one of the keys of `action`.
bool isKeyOf(const Action& action, const QKeyEvent& event);

} // namespace warpline
