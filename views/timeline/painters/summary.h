#pragma once

#include "views/timeline/painters/paint_context.h"

#include <span>

namespace warpline {

/// Paints several tracks in one line. The solid part of a pixel column is its busy share; above it a pale
/// shade up to the top keeps the shortest event visible. `color` is for rows too wide to distinguish their
/// events. Idle time is hatched by its cause, numbered by `idle` as in RowContent::idle; nullptr: no
/// hatching.
void paintSummary(const PaintContext& context, const RowContent& content, QColor color, QRect area,
    const IdleTimes* idle = nullptr);

/// Marks highlighted events of `tracks` over the whole height, at most one mark per place, so that a summary
/// row does not hide them behind other events.
void paintHighlightTicks(const PaintContext& context, std::span<const TrackRef> tracks, QRect area);

/// Paints where something happened in the rows below a heading: a thin, quiet line.
void paintHeading(const PaintContext& context, const RowContent& content, QRect area);

} // namespace warpline
