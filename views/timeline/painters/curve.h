#pragma once

#include "views/timeline/painters/paint_context.h"

namespace warpline {

/// Paints a counter: in each pixel the band from its lowest to its highest value over a pale area, and the
/// value at the top of the scale. Percentages are drawn on a scale to 100, all else to the highest value of
/// the report.
void paintCurve(const PaintContext& context, const CounterSeries& series, const RowContent& content,
    QColor color, QRect area);

/// A value of `series` as text with its unit: "58%", "1,980 MHz", "67.1 MB", "24.7 M".
QString counterText(const Trace& trace, const CounterSeries& series, double value);

} // namespace warpline
