#pragma once

#include "core/export/json_text.h"
#include "core/query/range_stats.h"

#include <span>
#include <string>
#include <vector>

namespace warpline {

class RowTree;
class Trace;

/// The rows that the summary of a range covers: all that show events, in display order.
std::vector<RowId> rowsWithEvents(const RowTree& rows);

/// The labels from the top row to `row`: "Processes", "[523] streams", "[523] main", "CUDA API".
std::vector<std::string> labelPath(const RowTree& rows, RowId row);

/// Output of `warpline-cli range --format json`: one JSON object, ending in a newline.
///
/// Keys: file, window_ns [from, to], wall_ns, events; kinds {key: {count, total_ns, busy_ns}};
/// rows [{key, label, path, count, busy_ns, share, gaps, longest_gap_ns}];
/// devices [{pid, device (the machine's number), cuda_device (the process'), compute_ns, stalled_ns (kernels
/// that wait for pages), communication_ns (while nothing computes), copy_ns, copy_only_ns, overlap_ns
/// (compute and copy), busy_ns, idle_ns}];
/// budgets [{pid, device, parts_ns {part: ns}}], which add up to the range, see GpuBudget;
/// copies [{direction, count, bytes, total_ns, whole_ns, bytes_per_second, pageable}];
/// counters [{name, unit, device, pid, mean, min, max, samples}], see CounterFigures; pid 0: of the GPU;
/// names [{kind, name, label, count, total_ns, share, mean_ns, median_ns, min_ns, max_ns, bytes, longest
/// [start, end]}]. An event counts when it overlaps [from, to); a mark, when its time is inside. Times are
/// clipped to the range; whole_ns, bytes, mean, median, min and max are of whole events. `rowsAsked` are the
/// rows of stats.rows.
Json rangeJson(
    const Trace& trace, const RowTree& rows, std::span<const RowId> rowsAsked, const RangeStats& stats);

} // namespace warpline
