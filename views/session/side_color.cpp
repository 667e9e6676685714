#include "views/session/side_color.h"

namespace warpline {

QColor sideColor(const Theme& theme, Side side)
{
    // Blue and orange (Okabe and Ito): apart for every reader, in light and dark.
    if (side == Side::A)
        return theme.isDark() ? QColor(0x56b4e9) : QColor(0x0072b2);
    return theme.isDark() ? QColor(0xe69f00) : QColor(0xd55e00);
}

QString sideLetter(Side side)
{
    return side == Side::A ? QStringLiteral("A") : QStringLiteral("B");
}

} // namespace warpline
