#pragma once

#include "core/workspace/workspace.h"

#include <QColor>
#include <QIcon>

namespace warpline {

/// The colour of `report` among several: the user's, else one by its number in the list.
QColor reportColor(const OpenReport& report);
/// A small square in this colour.
QIcon colorIcon(const QColor& color);

} // namespace warpline
