#pragma once

#include "views/timeline/painters/paint_context.h"

namespace warpline {

/// Hatches the first part of each collective in which the rank waited for another; the rest is transfer. Only
/// where there is room.
void paintWaits(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

} // namespace warpline
