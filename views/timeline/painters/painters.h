#pragma once

#include "core/query/counter_stats.h"
#include "views/style/counter_scale.h"
#include "views/timeline/painters/paint_context.h"

#include <cstdint>
#include <span>
#include <vector>

namespace warpline {

/// Paints a counter: in each pixel the band from minimum to maximum over a pale area, and the ends of
/// `scale`. `selected`: its statistics in the selected range; nullptr: none.
void paintCurve(const PaintContext& context, const CounterSeries& series, const RowContent& content,
    QColor color, QRect area, const CounterScale& scale, const CounterFigures* selected);

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

/// Hatches the first part of each collective in which the rank waited for another; the rest is transfer. Only
/// where there is room.
void paintWaits(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

/// Outlines the pieces whose event has the hovered name. For a piece of several events, the one that decides
/// its colour counts.
void paintLight(const PaintContext& context, const std::vector<Piece>& pieces, QRect area);

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

/// Paints exchanges: for each pixel transfer by its share of the height, hatched waiting above it, over a
/// pale shade up to the top, so that the shortest exchange is visible. Marks highlighted ones.
void paintExchanges(const PaintContext& context, const RowContent& content, QColor color, QRect area);

} // namespace warpline
