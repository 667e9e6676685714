#pragma once

#include "views/style/theme.h"

#include <QString>

namespace warpline {

/// The theme `name`: "light", "dark", or anything else for the desktop's own brightness. The desktop is asked
/// at the first call, which must come before any palette is set.
const Theme& themeNamed(const QString& name);

/// Whether the user wants colours that differ without seeing red or green, too.
bool choosesColorBlindSafe();

/// What the user chose in the preferences, or for this run: "light", "dark" or "system".
QString chosenThemeName();

/// Takes `name` for this run instead of what the settings have; empty: what they have. Nothing is stored.
void chooseThemeForThisRun(const QString& name);

} // namespace warpline
