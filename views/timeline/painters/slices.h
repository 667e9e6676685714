#pragma once

#include "views/timeline/painters/paint_context.h"

#include <vector>

namespace warpline {

/// Paints a lane: slices with their names, and pixels that hold several events in the strength of their busy
/// share. The lane is one image a pixel high, stretched: thousands of solid fills cost more than the image.
void paintLane(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);
/// Paints events without length: a tick each, stronger where there are many.
void paintMarks(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);
/// Writes names on the slices that have room.
void paintNames(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);
/// Marks highlighted events above and below, wide enough to be seen where the event is less than a pixel.
void paintHighlights(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

} // namespace warpline
