#pragma once

#include <QFont>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace warpline {

/// The height of a part with text, from its height `pixels` for text of up to 10 points: rows and heads of
/// the timeline grow with the text size of the window.
inline int inTextSize(int pixels)
{
    constexpr double usual = 10; // points
    const double scale = std::max(1.0, QGuiApplication::font().pointSizeF() / usual);
    return static_cast<int>(std::lround(pixels * scale));
}

} // namespace warpline
