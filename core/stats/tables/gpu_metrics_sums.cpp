// GPU metrics by kernel name, and by NVTX range: the sampled metrics during kernels of each name, and during
// the GPU time of ranges of each name, from the first to the last work that they launched. Metrics are of the
// whole GPU and include concurrent work. nsys has no such tables.

#include "core/stats/grouping.h"
#include "core/stats/metric_rows.h"
#include "core/stats/names.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"

#include <unordered_map>

namespace warpline::gpu_metrics_sums {

namespace {

/// Groups the events of `table` for `query` by keyOf(event), with the names of nameOf(key); eventOf(event)
/// represents each.
template <typename KeyOf, typename NameOf, typename EventOf>
std::vector<MetricGroup> groupsOf(const Trace& trace, const EventTable& table, const StatsQuery& query,
    KeyOf keyOf, NameOf nameOf, EventOf eventOf)
{
    std::vector<MetricGroup> groups;
    std::unordered_map<std::uint64_t, std::size_t> places;
    std::vector<std::int32_t> devices;
    for (const Track& track : table.tracks)
        devices.push_back(gpuNumber(trace, track.owner, track.device));
    forEachEvent(table, query, [&](EventIndex i) {
        const std::uint64_t key = keyOf(i);
        const auto [place, added] = places.try_emplace(key, groups.size());
        if (added)
            groups.emplace_back().name = nameOf(key);
        MetricGroup& group = groups[place->second];
        ++group.instances;
        group.total += table.duration[i];
        group.times.emplace_back(devices[table.trackIndexOf(i)], table.range(i));
        if (query.wantEvents)
            group.events.push_back(eventOf(i));
    });
    return groups;
}

Cells fillByKernel(const Trace& trace, const StatsQuery& query)
{
    const KernelNaming naming = parseVariant(query.variant).kernels;
    return metricRows(trace, query,
        groupsOf(
            trace, trace.kernels(), query, [&](EventIndex i) { return raw(kernelName(trace, i, naming)); },
            [&](std::uint64_t name) { return std::string(trace.text(static_cast<StringId>(name))); },
            [](EventIndex i) {
                return EventRef{EventKind::Kernel, i};
            }),
        "Name", "Total Time (ns)");
}

Cells fillByRange(const Trace& trace, const StatsQuery& query)
{
    const auto keyOf = [&](EventIndex i) {
        const EventIndex range = rangeProjectedBy(trace, i);
        return nvtxNameKey(trace, trace.nvtx().trackOf(range), range);
    };
    return metricRows(trace, query,
        groupsOf(
            trace, trace.table(EventKind::NvtxProjected), query, keyOf,
            [&](std::uint64_t key) { return nvtxNameOfKey(trace, key); },
            [&](EventIndex i) {
                return EventRef{EventKind::Nvtx, rangeProjectedBy(trace, i)};
            }),
        "Range", "Total Proj Time (ns)");
}

} // namespace

extern constinit const StatsTable gpuMetricsKernSum{.id = "gpu_metrics_by_kernel",
    .title = "GPU Metrics by Kernel",
    .description
    = "How well do kernels use the GPU? Sampled metrics over the time of the kernels of each name.",
    .arguments = kernelArguments,
    .applies = [](const Trace& trace) { return !trace.kernels().empty() && hasGpuMetrics(trace); },
    .fill = fillByKernel,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

extern constinit const StatsTable gpuMetricsNvtxSum{.id = "gpu_metrics_by_nvtx",
    .title = "GPU Metrics by NVTX Range",
    .description
    = "How well do parts of the program use the GPU? Sampled metrics over the time of NVTX ranges on the GPU.",
    .applies =
        [](const Trace& trace) {
            return !trace.table(EventKind::NvtxProjected).empty() && hasGpuMetrics(trace);
        },
    .fill = fillByRange,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Breakdown};

} // namespace warpline::gpu_metrics_sums
