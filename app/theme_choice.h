#pragma once

#include "views/style/theme.h"

#include <QPalette>
#include <QStringList>

namespace warpline {

/// The theme `name`: "light", "dark", "contrast-light", "contrast-dark", or anything else for the desktop's.
/// Reads the desktop's at the first call, which must precede setting any palette.
const Theme& themeNamed(const QString& name);

/// Whether the user wants colours that differ without seeing red or green, too.
bool choosesColorBlindSafe();

/// Whether the desktop uses high contrast: its palette is black on white or white on black, or one of its
/// files in `configFolder` names such a theme.
bool desktopWantsContrast(const QPalette& palette, const QString& configFolder);

/// All choices but "system", in the order of menus.
const QStringList& themeNames();

/// The user's choice in the preferences, or for this run: one of themeNames(), or "system".
QString chosenThemeName();

/// Stores `name` in the settings. Replaces the choice for this run, because a choice in the window is the
/// latest.
void storeTheme(const QString& name);

/// Uses `name` for this run instead of the settings; empty: the settings. Stores nothing.
void chooseThemeForThisRun(const QString& name);

} // namespace warpline
