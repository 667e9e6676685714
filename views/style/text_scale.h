#pragma once

#include <QFont>
#include <QFontDatabase>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace warpline {

inline constexpr double usualTextSize = 10; ///< points; up to it sizes are as they were drawn

/// By how much parts with text are larger than for text of up to 10 points.
inline double textScale()
{
    return std::max(1.0, QGuiApplication::font().pointSizeF() / usualTextSize);
}

/// The height of a part with text, from its height `pixels` for text of up to 10 points: rows and heads of
/// the timeline grow with the text size of the window.
inline int inTextSize(int pixels)
{
    return static_cast<int>(std::lround(pixels * textScale()));
}

/// The font of code: larger than the desktop's where the text of the window is.
inline QFont codeFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (const double points = QGuiApplication::font().pointSizeF(); points > usualTextSize)
        font.setPointSizeF(points);
    return font;
}

} // namespace warpline
