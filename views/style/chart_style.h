#pragma once

#include "core/base/time.h"
#include "views/style/theme.h"

#include <QChart>
#include <QString>

#include <memory>
#include <span>

namespace warpline {

/// Gives a chart with its axes the theme's colours and little air.
void dressChart(QChart& chart, const Theme& theme, const QString& title = {});

/// How many of `durations` (ns) fall into each half decade from 100 ns to 1000 s; shorter and longer ones count in the
/// first and last bin.
std::unique_ptr<QChart> durationHistogram(std::span<const Ns> durations, const Theme& theme, const QString& title);

} // namespace warpline
