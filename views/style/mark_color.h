#pragma once

#include "core/handover/mark.h"
#include "views/style/rich_text.h"
#include "views/style/theme.h"

namespace warpline {

/// What `mark` is drawn in.
inline QColor markColor(const Theme& theme, const MarkColor& color)
{
    return QColor::fromRgb(theme.isDark() ? color.dark : color.light);
}

inline QColor markColor(const Theme& theme, const Mark& mark)
{
    return markColor(theme, markColorOf(mark.color));
}

/// As menus say it.
inline QString titleOf(const MarkColor& color)
{
    return plainTextOf(Message("mark_color", color.id, color.title));
}

} // namespace warpline
