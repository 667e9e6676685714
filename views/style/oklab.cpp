#include "views/style/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace warpline {

namespace {

using Linear = std::array<double, 3>; ///< red, green, blue in linear light, without gamma
using Matrix = std::array<Linear, 3>;

constexpr Matrix withoutRed{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix withoutGreen{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

double linearOf(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double encoded(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

Linear linearOf(const QColor& color)
{
    return {linearOf(color.redF()), linearOf(color.greenF()), linearOf(color.blueF())};
}

Linear seenThrough(const Matrix& eyes, const Linear& light)
{
    Linear seen{};
    for (std::size_t i = 0; i < seen.size(); ++i)
        seen[i] = std::clamp(eyes[i][0] * light[0] + eyes[i][1] * light[1] + eyes[i][2] * light[2], 0.0, 1.0);
    return seen;
}

Oklab oklabOf(const Linear& light)
{
    const auto [red, green, blue] = light;
    const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Linear linearOf(const Oklab& color)
{
    const double l = std::pow(color.lightness + 0.3963377774 * color.a + 0.2158037573 * color.b, 3);
    const double m = std::pow(color.lightness - 0.1055613458 * color.a - 0.0638541728 * color.b, 3);
    const double s = std::pow(color.lightness - 0.0894841775 * color.a - 1.2914855480 * color.b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

} // namespace

Oklab oklabOf(const QColor& color)
{
    return oklabOf(linearOf(color));
}

QColor fromOklch(double lightness, double chroma, double hue)
{
    constexpr double step = 0.95;
    constexpr double slack = 1e-4;
    constexpr double grey = 1e-3;
    const double angle = hue / 180 * std::numbers::pi;
    Linear light{};
    for (;; chroma = chroma > grey ? chroma * step : 0) {
        light = linearOf(Oklab{lightness, chroma * std::cos(angle), chroma * std::sin(angle)});
        const bool isOfScreen
            = std::ranges::all_of(light, [](double part) { return part >= -slack && part <= 1 + slack; });
        if (isOfScreen || chroma == 0)
            break;
    }
    const auto part = [&](std::size_t i) { return encoded(std::clamp(light[i], 0.0, 1.0)); };
    return QColor::fromRgb(QColor::fromRgbF(
        static_cast<float>(part(0)), static_cast<float>(part(1)), static_cast<float>(part(2)))
                               .rgb());
}

double luminanceOf(const QColor& color)
{
    const auto [red, green, blue] = linearOf(color);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

double contrastOf(const QColor& one, const QColor& other)
{
    const auto [darker, lighter] = std::minmax({luminanceOf(one), luminanceOf(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor standingOut(const QColor& color, const QColor& ground, double contrast)
{
    if (contrastOf(color, ground) >= contrast)
        return color;
    const Oklab from = oklabOf(color);
    const double chroma = std::hypot(from.a, from.b);
    const double hue = std::atan2(from.b, from.a) * 180 / std::numbers::pi;
    const double step = oklabOf(ground).lightness > 0.5 ? -0.01 : 0.01;
    QColor found = color;
    for (double lightness = from.lightness; lightness > 0 && lightness < 1; lightness += step) {
        found = fromOklch(lightness, chroma, hue);
        if (contrastOf(found, ground) >= contrast)
            break;
    }
    return found;
}

double distanceOf(const Oklab& one, const Oklab& other)
{
    return std::hypot(one.lightness - other.lightness, one.a - other.a, one.b - other.b);
}

double distanceOf(const QColor& one, const QColor& other)
{
    return distanceOf(oklabOf(one), oklabOf(other));
}

SeenColor seenColorOf(const QColor& color)
{
    const Linear light = linearOf(color);
    return {
        oklabOf(light), oklabOf(seenThrough(withoutRed, light)), oklabOf(seenThrough(withoutGreen, light))};
}

double leastDistanceOf(const SeenColor& one, const SeenColor& other)
{
    double least = distanceOf(one[0], other[0]);
    for (std::size_t i = 1; i < one.size(); ++i)
        least = std::min(least, distanceOf(one[i], other[i]));
    return least;
}

double leastDistanceOf(const QColor& one, const QColor& other)
{
    return leastDistanceOf(seenColorOf(one), seenColorOf(other));
}

} // namespace warpline
