#pragma once

#include "views/timeline/painters/paint_context.h"

namespace warpline {

/// Paints exchanges: for each pixel transfer by its share of the height, hatched waiting above it, over a
/// pale shade up to the top, so that the shortest exchange is visible. Marks highlighted ones.
void paintExchanges(const PaintContext& context, const RowContent& content, QColor color, QRect area);

} // namespace warpline
