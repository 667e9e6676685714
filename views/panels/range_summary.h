#pragma once

#include "core/operators/range_work.h"
#include "core/query/range_stats.h"

#include <QString>

#include <cstdint>

namespace warpline {

/// The line above the tables as rich text: the range, how busy the GPUs were in it, and what their operators
/// did. `all`: the events of the report, when all rows and all of the session are asked about; those at its
/// very end are not in it.
QString rangeSummary(
    const RangeStats& stats, bool selected, std::uint64_t all = 0, const std::vector<RangeWork>& work = {});

} // namespace warpline
