#pragma once

#include "views/style/theme.h"

#include <QString>

class QChart;

namespace warpline {

/// Gives a chart with its axes the theme's colours and little air.
void dressChart(QChart& chart, const Theme& theme, const QString& title = {});

} // namespace warpline
