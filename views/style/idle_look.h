#pragma once

#include "core/budget/budget_parts.h"
#include "views/style/theme.h"

#include <QColor>

namespace warpline {

/// The hatching of a GPU's idle time: the colour of the host's activity, and a direction, so that causes
/// differ without colours, too.
struct IdleLook {
    QColor color;
    bool falls = false; ///< from the upper left to the lower right; else it rises
};

IdleLook idleLook(IdleCause cause, const Theme& theme);

} // namespace warpline
