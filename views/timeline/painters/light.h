#pragma once

#include "views/timeline/painters/paint_context.h"

#include <vector>

namespace warpline {

/// Outlines the pieces whose event has the hovered name. For a piece of several events, the one that decides
/// its colour counts.
void paintLight(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

} // namespace warpline
