#pragma once

#include "core/findings/rule.h"
#include "views/style/theme.h"

#include <QIcon>

namespace warpline {

QColor severityColor(Severity severity, const Theme& theme);

/// A mark whose shape tells the severity as well as its colour: square, triangle, disc, ring from high to
/// info.
QIcon severityIcon(Severity severity, const Theme& theme);

} // namespace warpline
