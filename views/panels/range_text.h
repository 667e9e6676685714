#pragma once

#include "core/query/range_stats.h"
#include "views/style/theme.h"

#include <QString>

namespace warpline {

/// What is in the selected range, for a narrow column: how busy each GPU is, the names that take most, copies
/// and counters. Links: "name:N", a place in `stats.names`, and "panel:ID".
QString rangeHtml(const Trace& trace, const RangeStats& stats, const Theme& theme);

} // namespace warpline
