#pragma once

#include "core/overview/overview.h"
#include "views/style/theme.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpline {

/// "GPU idle 76.1%": the largest part of `parts`, with copies of all directions joined, as a headline. Parts
/// cover all GPUs together: for `several` the headline mentions it, because the checklist is about the worst
/// GPU.
QString overviewHeadline(const std::vector<OverviewPart>& parts, bool several = false);

/// The parts with colour, time and share, as rich text; each a link "part:N".
QString overviewLegend(const std::vector<OverviewPart>& parts, const Theme& theme);

inline constexpr double minOtherShare = 0.0005; ///< of the whole: less is no 0.1%, and not listed as "other"

/// "Idle time by host activity: own code 20%, other 0.5%": `named` as rich text, and the time of all `other`
/// activity. Empty `other`: there is none.
QString hostActivityHtml(QStringList named, const QString& other);

/// A bar of `share` of a column, as rich text. `color` has 3:1 against the background.
QString shareBar(double share, const QColor& color);

} // namespace warpline
