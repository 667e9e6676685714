#pragma once

#include "core/findings/rule.h"
#include "views/style/theme.h"

#include <QIcon>

namespace warpline {

QColor severityColor(Severity severity, const Theme& theme);

/// An icon whose shape shows the severity like its colour: square, triangle, disc, ring from high to info.
QIcon severityIcon(Severity severity, const Theme& theme);
/// The same mark in a line of rich text.
QString severityHtml(Severity severity, const Theme& theme);

} // namespace warpline
