#pragma once

#include <QPainter>
#include <QRect>

#include <span>

namespace warpline {

/// Paints what lies behind a row: `line`, device pixels as wide as `area`, `ratio` to a logical one. What is
/// in `covered`, from the top, is left out, for it is painted over in full: on a large screen the ground is a
/// third of all that a frame writes.
void paintGround(
    QPainter& painter, QRect area, const QImage& line, double ratio, std::span<const QRect> covered = {});

} // namespace warpline
