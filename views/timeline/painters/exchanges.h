#pragma once

#include "views/timeline/painters/paint_context.h"

namespace warpline {

/// Paints exchanges: of each pixel as high as its share what is transfer, hatched above it what is waiting,
/// over a pale shade that reaches to the top, so that the shortest exchange is seen. Marked ones are
/// marked.
void paintExchanges(const PaintContext& context, const RowContent& content, QColor color, QRect area);

} // namespace warpline
