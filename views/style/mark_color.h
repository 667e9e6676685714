#pragma once

#include "core/handover/mark.h"
#include "views/style/rich_text.h"
#include "views/style/theme.h"

namespace warpline {

/// The drawn colour.
inline QColor markColor(const Theme& theme, const MarkColor& color)
{
    return QColor::fromRgb(theme.isDark() ? color.dark : color.light);
}

inline QColor markColor(const Theme& theme, const Mark& mark)
{
    return markColor(theme, markColorOf(mark.color));
}

/// The title in menus.
inline QString titleOf(const MarkColor& color)
{
    return plainTextOf(Message("mark_color", color.id, color.title));
}

} // namespace warpline
