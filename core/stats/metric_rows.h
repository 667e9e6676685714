#pragma once

#include "core/stats/stats_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A group of GPU events that metrics are asked about: those of one name.
struct MetricGroup {
    std::string name;
    std::uint64_t instances = 0;
    Ns total = 0; ///< sum of their durations
    std::vector<std::pair<std::int32_t, TimeRange>> times; ///< with the GPU, as the report numbers it
    std::vector<EventRef> events; ///< where StatsQuery::wantEvents
};

/// One row per group, the longest first, and GPU metric: the mean of the samples weighted by the group's time
/// for which each holds (until the next sample), the maximum and the number of samples inside. Leaves out
/// metrics that stayed zero in the whole report. A group without samples has one row without values, because
/// zero would be wrong. O(n log n + samples x metrics). Throws Stopped.
Cells metricRows(const Trace& trace, const StatsQuery& query, std::vector<MetricGroup> groups,
    std::string_view nameTitle, std::string_view totalTitle);

/// Whether the report has samples of GPU metrics.
bool hasGpuMetrics(const Trace& trace);

} // namespace warpline
