// GPU metrics by NVTX range: what the sampled metrics say of the time that ranges of each name take on the
// GPU, from the first to the last work that they launched. nsys has no such table.

#include "core/stats/grouping.h"
#include "core/stats/metric_rows.h"
#include "core/stats/names.h"
#include "core/store/attributes.h"

#include <unordered_map>

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const EventTable& projected = trace.table(EventKind::NvtxProjected);
    const NvtxTable& nvtx = trace.nvtx();
    std::vector<MetricGroup> groups;
    std::unordered_map<std::uint64_t, std::size_t> places;
    std::vector<std::int32_t> devices;
    for (const Track& track : projected.tracks)
        devices.push_back(reportDeviceOf(trace, track));
    forEachEvent(projected, query, [&](EventIndex i) {
        const EventIndex range = rangeProjectedBy(trace, i);
        const std::uint64_t key = nvtxNameKey(trace, nvtx.trackOf(range), range);
        const auto [place, added] = places.try_emplace(key, groups.size());
        if (added)
            groups.emplace_back().name = nvtxNameOfKey(trace, key);
        MetricGroup& group = groups[place->second];
        ++group.instances;
        group.total += projected.duration[i];
        group.times.emplace_back(devices[projected.trackIndexOf(i)], projected.range(i));
        if (query.wantEvents)
            group.events.push_back({EventKind::Nvtx, range});
    });
    return metricRows(trace, query, std::move(groups), "Range", "Total Proj Time (ns)");
}

} // namespace

extern constinit const StatsTable gpuMetricsNvtxSum{.id = "gpu_metrics_by_nvtx",
    .title = "GPU Metrics by NVTX Range",
    .description
    = "How well do parts of the program use the GPU? Sampled metrics over the time of NVTX ranges on the GPU.",
    .arguments = {},
    .applies =
        [](const Trace& trace) {
            return !trace.table(EventKind::NvtxProjected).empty() && hasGpuMetrics(trace);
        },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Breakdown};

} // namespace warpline
