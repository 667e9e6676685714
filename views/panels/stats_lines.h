#pragma once

#include "core/query/range_stats.h"
#include "core/rows/row_tree.h"
#include "views/models/cells_model.h"

#include <cstddef>
#include <vector>

namespace warpline {

/// Lines of a table of the statistics of a range, as text with numbers to sort by.
using StatsLines = std::vector<CellsModel::Line>;

/// Limit of lines for names of GPU work, of calls and ranges, and of waits: a million take 8 s and 1 GB.
inline constexpr std::size_t maxNameLines = 10'000;

/// A line per name, GPU work first, the longest maxNameLines; the line's id is its index in `stats.names`.
/// `trace` decides the names of ranges.
StatsLines nameLines(const Trace& trace, const RangeStats& stats);
/// A line per row of `asked`, in the order of `stats.rows`; its id is the index there.
StatsLines rowLines(const RangeStats& stats, const RowTree& rows, const std::vector<RowId>& asked);
/// A line per direction of copies; one that says so when there are none.
StatsLines copyLines(const RangeStats& stats);
/// A line for each counter that has samples; its id is the place in `trace.counters`.
StatsLines counterLines(const Trace& trace, const RangeStats& stats);

} // namespace warpline
