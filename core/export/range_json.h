#pragma once

#include "core/query/range_stats.h"
#include "core/store/trace.h"

#include <string>

namespace warpline {

/// Range statistics as a JSON object. Times in ns, shares 0..1:
/// window_ns [from, to], wall_ns, events, rows [{key, label, count, busy_ns, share, gaps, longest_gap_ns}],
/// devices [{pid, device, compute_ns, copy_ns, overlap_ns, busy_ns, idle_ns}],
/// copies [{direction, count, bytes, total_ns, bytes_per_second, pageable}],
/// names [{kind, name, count, total_ns, share, mean_ns, median_ns, min_ns, max_ns, bytes}].
std::string rangeJson(const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked, const RangeStats& stats);
/// The same for people.
std::string rangeText(const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked, const RangeStats& stats);

} // namespace warpline
