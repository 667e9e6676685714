#pragma once

#include "views/style/theme.h"

#include <QIcon>
#include <QString>

namespace warpline {

/// The icon `name` of resources/icons, drawn in the theme's text colour.
QIcon themedIcon(const QString& name, const Theme& theme);

/// Warpline's own.
QIcon programIcon();

} // namespace warpline
