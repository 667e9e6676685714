#pragma once

#include "core/overview/overview.h"
#include "views/style/theme.h"

#include <QString>

#include <vector>

namespace warpline {

/// "GPU idle 76.1%": the largest part of `parts`, copies of all directions together, as the one thing that is
/// read first. Parts are about all GPUs together: of `several` the headline says so, since the checklist is
/// about the GPU that is worst off.
QString overviewHeadline(const std::vector<OverviewPart>& parts, bool several = false);

/// The parts with colour, time and share, as rich text; each a link "part:N".
QString overviewLegend(const std::vector<OverviewPart>& parts, const Theme& theme);

/// A bar of `share` of a column, as rich text. `color` has 3:1 against the background.
QString shareBar(double share, const QColor& color);

} // namespace warpline
