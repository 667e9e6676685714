#pragma once

#include "views/timeline/painters/paint_context.h"

namespace warpline {

/// Hatches the first part of each collective that waited there for another rank; what is left plain is
/// transfer. Only where there is room to see it.
void paintWaits(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

} // namespace warpline
