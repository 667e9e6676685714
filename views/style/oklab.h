#pragma once

#include <QColor>

#include <array>

namespace warpline {

/// A colour in Oklab (B. Ottosson, "A perceptual color space for image processing", 2020): equal distances
/// look alike, whatever the hue.
struct Oklab {
    double lightness = 0; ///< 0 black, 1 white
    double a = 0; ///< green to red
    double b = 0; ///< blue to yellow
};

Oklab oklabOf(const QColor& color);
/// The colour of this lightness (0..1), chroma (grey is 0, vivid 0.15 and more) and hue in degrees. Where a
/// screen has no such colour, the nearest of less chroma.
QColor fromOklch(double lightness, double chroma, double hue);
/// `color` made darker (on a light background) or lighter with the same hue until it has `contrast` to
/// `ground`, by the relative luminance of WCAG 2.1; unchanged when it has.
QColor standingOut(const QColor& color, const QColor& ground, double contrast);
/// The relative luminance by WCAG 2.1, from 0 to 1.
double luminanceOf(const QColor& color);
/// The contrast of two colours by WCAG 2.1, from 1 to 21.
double contrastOf(const QColor& one, const QColor& other);
/// The perceived difference; adjacent colours are distinguishable from about 0.02 on.
double distanceOf(const Oklab& one, const Oklab& other);
/// The distance of the two colours.
double distanceOf(const QColor& one, const QColor& other);
/// A colour as readers with full vision, without red and without green cones see it; to work that out takes
/// longer than to compare two of them.
using SeenColor = std::array<Oklab, 3>;
SeenColor seenColorOf(const QColor& color);
double leastDistanceOf(const SeenColor& one, const SeenColor& other);
/// The minimum of the distances perceived with full vision, without red and without green cones (G. Machado
/// et al., "A physiologically-based model for simulation of color vision deficiency", 2009).
double leastDistanceOf(const QColor& one, const QColor& other);

} // namespace warpline
