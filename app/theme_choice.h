#pragma once

#include "views/style/theme.h"

#include <QPalette>
#include <QStringList>

namespace warpline {

/// The theme `name`: "light", "dark", "contrast-light", "contrast-dark", or anything else for what the
/// desktop has. The desktop is asked at the first call, which must come before any palette is set.
const Theme& themeNamed(const QString& name);

/// Whether the user wants colours that differ without seeing red or green, too.
bool choosesColorBlindSafe();

/// Whether the desktop wants high contrast: its palette is black on white or white on black, or one of the
/// desktop's files in `configFolder` names such a theme.
bool desktopWantsContrast(const QPalette& palette, const QString& configFolder);

/// What can be chosen but "system", in the order of menus.
const QStringList& themeNames();

/// What the user chose in the preferences, or for this run: one of themeNames(), or "system".
QString chosenThemeName();

/// Takes `name` for this run instead of what the settings have; empty: what they have. Nothing is stored.
void chooseThemeForThisRun(const QString& name);

} // namespace warpline
