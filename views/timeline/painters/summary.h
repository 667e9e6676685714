#pragma once

#include "views/timeline/painters/paint_context.h"

#include <span>

namespace warpline {

/// Paints several tracks in one line. The solid part of a pixel is as high as its busy share; above it a pale
/// shade reaches to the top, so that the shortest event is seen. `color` is for rows too wide to tell their
/// events apart. What is idle is hatched by its cause, as `idle` numbers them in RowContent::idle; nullptr:
/// it is not.
void paintSummary(const PaintContext& context, const RowContent& content, QColor color, QRect area,
    const IdleTimes* idle = nullptr);

/// Marks highlighted events of `tracks` over the whole height, at most one mark a place: a row that sums up
/// must not hide them behind what lies on top.
void paintHighlightTicks(const PaintContext& context, std::span<const TrackRef> tracks, QRect area);

/// Paints where something happened in the rows below a heading: a thin, quiet line.
void paintHeading(const PaintContext& context, const RowContent& content, QRect area);

} // namespace warpline
