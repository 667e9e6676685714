#pragma once

#include "views/timeline/painters/paint_context.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// What is below a lane: the row's background, or another lane at the same place.
enum class Over : std::uint8_t { Ground, Lane };

/// Paints a lane: slices with their names, and pixels of several events with the opacity of their busy share.
/// The lane is one image a pixel high, stretched: thousands of solid fills cost more than the image.
void paintLane(const PaintContext& context, const std::vector<Piece>& pieces, QRect area, Over over);
/// Paints events without length: a tick each, stronger where there are many.
void paintMarks(const PaintContext& context, const std::vector<Piece>& pieces, QRect area, Over over);
/// Writes names on the slices that have room.
void paintNames(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);
/// Marks highlighted events above and below, wide enough to be seen where the event is less than a pixel.
void paintHighlights(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

} // namespace warpline
