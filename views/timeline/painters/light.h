#pragma once

#include "views/timeline/painters/paint_context.h"

#include <vector>

namespace warpline {

/// Edges the pieces whose event has the name that is pointed at. Where a piece stands for several, the one
/// that it is coloured by counts.
void paintLight(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

} // namespace warpline
