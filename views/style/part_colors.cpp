#include "views/style/part_colors.h"

#include "views/style/oklab.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr double alike = 0.045;
constexpr std::size_t maxTried = 64;

bool isApart(const QColor& color, const std::vector<QColor>& taken, const Theme& theme)
{
    return std::ranges::all_of(taken, [&](const QColor& other) {
        return !other.isValid()
            || (theme.isColorBlindSafe() ? leastDistanceOf(color, other) : distanceOf(color, other)) >= alike;
    });
}

} // namespace

std::vector<QColor> partColors(const std::vector<QColor>& wished, const Theme& theme)
{
    // Preferred colours first: a part without one, or a duplicate, must not take a later part's colour.
    std::vector<QColor> colors(wished.size());
    std::vector<QColor> taken{theme.rest};
    for (std::size_t i = 0; i < wished.size(); ++i) {
        if (!wished[i].isValid() || !isApart(wished[i], taken, theme))
            continue;
        colors[i] = wished[i];
        taken.push_back(wished[i]);
    }
    for (std::size_t i = 0; i < colors.size(); ++i) {
        for (std::size_t next = 0; !colors[i].isValid() && next < maxTried; ++next) {
            if (isApart(theme.spreadColor(next), taken, theme))
                colors[i] = theme.spreadColor(next);
        }
        if (!colors[i].isValid())
            colors[i] = theme.spreadColor(maxTried + i);
        taken.push_back(colors[i]);
    }
    return colors;
}

} // namespace warpline
