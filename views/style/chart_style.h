#pragma once

#include "views/style/theme.h"

#include <QString>

class QChart;

namespace warpline {

/// Gives a chart with its axes the theme's colours and little air.
void dressChart(QChart& chart, const Theme& theme, const QString& title = {});

/// 1, 2 or 5 times a power of ten, not below `value`, which is over 0: how far apart the marks of an axis
/// are.
double niceStep(double value);

} // namespace warpline
