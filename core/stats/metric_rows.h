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

/// The GPU, as the report numbers it, that the events of `track` run on.
std::int32_t reportDeviceOf(const Trace& trace, const Track& track);

/// A row for each group, longest first, and each GPU metric: the mean of the samples weighted by how much of
/// the group's time each holds for (a sample holds until the next), the highest of those that lie in it, and
/// how many do. Metrics that stayed zero in the whole report are left out. A group in whose time no sample
/// lies says so in one row, without figures: zero would be a lie. O(n log n + samples x metrics).
/// Throws Stopped when the query is to stop.
Cells metricRows(const Trace& trace, const StatsQuery& query, std::vector<MetricGroup> groups,
    std::string_view nameTitle, std::string_view totalTitle);

/// Whether the report has samples of GPU metrics.
bool hasGpuMetrics(const Trace& trace);

} // namespace warpline
