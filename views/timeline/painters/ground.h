#pragma once

#include <QPainter>
#include <QRect>

#include <span>

namespace warpline {

/// Paints the background of a row: `line`, device pixels as wide as `area`, `ratio` per logical one. Skips
/// `covered`, ordered from the top, which will be painted over completely: on a large screen the background
/// is a third of a frame's writes.
void paintGround(
    QPainter& painter, QRect area, const QImage& line, double ratio, std::span<const QRect> covered = {});

} // namespace warpline
