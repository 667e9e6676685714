#pragma once

#include "core/query/range_stats.h"
#include "views/style/theme.h"

#include <QString>

namespace warpline {

/// The content of the selected range, for a narrow column: busy share of each GPU, the longest names, copies
/// and counters. Links: "name:N", an index in `stats.names`, and "panel:ID".
QString rangeHtml(const Trace& trace, const RangeStats& stats, const Theme& theme);

} // namespace warpline
