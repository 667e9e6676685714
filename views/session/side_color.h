#pragma once

#include "core/compare/comparison.h"
#include "views/style/theme.h"

namespace warpline {

/// The colour of a side of a comparison, in its badge, its marks and its charts.
QColor sideColor(const Theme& theme, Side side);
constexpr Side otherSide(Side side)
{
    return side == Side::A ? Side::B : Side::A;
}
/// "A", "B".
QString sideLetter(Side side);

} // namespace warpline
