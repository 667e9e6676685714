#pragma once

#include "core/query/counter_stats.h"
#include "views/style/counter_scale.h"
#include "views/timeline/painters/paint_context.h"

namespace warpline {

/// Paints a counter: in each pixel the band from minimum to maximum over a pale area, and the ends of
/// `scale`. `selected`: its statistics in the selected range; nullptr: none.
void paintCurve(const PaintContext& context, const CounterSeries& series, const RowContent& content,
    QColor color, QRect area, const CounterScale& scale, const CounterFigures* selected);

/// A value of `series` as text with its unit: "58%", "1,980 MHz", "67.1 MB", "24.7 M".
QString counterText(const Trace& trace, const CounterSeries& series, double value);

} // namespace warpline
