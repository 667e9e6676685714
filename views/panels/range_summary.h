#pragma once

#include "core/operators/range_work.h"
#include "core/query/range_stats.h"

#include <QString>

#include <cstdint>
#include <string>

namespace warpline {

/// The line above the tables as rich text: the range, the GPUs' busy share in it, and their operators' work.
/// `all`: the number of events of the report, when all rows and the whole session are covered; without events
/// at the very end.
QString rangeSummary(
    const RangeStats& stats, bool selected, std::uint64_t all = 0, const std::vector<RangeWork>& work = {});

/// What to say instead where a range does not touch the report with `label`.
QString outsideText(const std::string& label);

} // namespace warpline
