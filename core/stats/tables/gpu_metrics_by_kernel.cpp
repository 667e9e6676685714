// GPU metrics by kernel name: what the sampled metrics say of the time in which kernels of each name ran. The
// metrics are of the whole GPU, so what runs beside them counts as well. nsys has no such table.

#include "core/stats/grouping.h"
#include "core/stats/metric_rows.h"
#include "core/stats/names.h"
#include "core/store/trace.h"

#include <unordered_map>

namespace warpline {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    const KernelNaming naming = parseVariant(query.variant).kernels;
    std::vector<MetricGroup> groups;
    std::unordered_map<StringId, std::size_t> places;
    std::vector<std::int32_t> devices;
    for (const Track& track : kernels.tracks)
        devices.push_back(reportDeviceOf(trace, track));
    forEachEvent(kernels, query, [&](EventIndex i) {
        const StringId name = kernelName(trace, i, naming);
        const auto [place, added] = places.try_emplace(name, groups.size());
        if (added)
            groups.emplace_back().name = trace.text(name);
        MetricGroup& group = groups[place->second];
        ++group.instances;
        group.total += kernels.duration[i];
        group.times.emplace_back(devices[kernels.trackIndexOf(i)], kernels.range(i));
        if (query.wantEvents)
            group.events.push_back({EventKind::Kernel, i});
    });
    return metricRows(trace, query, std::move(groups), "Name", "Total Time (ns)");
}

} // namespace

extern constinit const StatsTable gpuMetricsKernSum{.id = "gpu_metrics_by_kernel",
    .title = "GPU Metrics by Kernel",
    .description
    = "How well do kernels use the GPU? Sampled metrics over the time of the kernels of each name.",
    .arguments = kernelArguments,
    .applies = [](const Trace& trace) { return !trace.kernels().empty() && hasGpuMetrics(trace); },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

} // namespace warpline
