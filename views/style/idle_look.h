#pragma once

#include "core/budget/budget_parts.h"
#include "views/style/theme.h"

#include <QColor>

namespace warpline {

/// How idle time of a GPU is hatched: the colour of what the host does meanwhile, and a direction, so that
/// causes differ without colours, too.
struct IdleLook {
    QColor color;
    bool falls = false; ///< from the upper left to the lower right; else it rises
};

IdleLook idleLook(IdleCause cause, const Theme& theme);

} // namespace warpline
