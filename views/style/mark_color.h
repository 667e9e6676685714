#pragma once

#include "core/base/format.h"
#include "core/handover/mark.h"
#include "views/style/rich_text.h"
#include "views/style/theme.h"

#include <QCoreApplication>

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

/// What `mark` is called in lists, as titleOf(), in the language of the window.
inline QString titleTextOf(const Mark& mark)
{
    if (!mark.text.empty())
        return textOf(mark.text);
    return mark.isMoment() ? QCoreApplication::translate("Marks", "Moment")
                           : QCoreApplication::translate("Marks", "Range of %1")
                                 .arg(textOf(formatDuration(mark.range.duration())));
}

/// As menus say it.
inline QString titleOf(const MarkColor& color)
{
    return plainTextOf(Message("mark_color", color.id, color.title));
}

} // namespace warpline
