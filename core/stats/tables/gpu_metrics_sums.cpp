// GPU metrics by kernel name, and by NVTX range: the sampled metrics during kernels of each name, and during
// the GPU time of ranges of each name, from the first to the last work that they launched. Metrics are of the
// whole GPU and include concurrent work. nsys has no such tables.

#include "core/coverage/intervals.h"
#include "core/stats/grouping.h"
#include "core/stats/names.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace warpline::gpu_metrics_sums {

namespace {

/// A group of GPU events that metrics are asked about: those of one name.
struct MetricGroup {
    std::string name;
    std::uint64_t instances = 0;
    Ns total = 0; ///< sum of their durations
    std::vector<std::pair<std::int32_t, TimeRange>> times; ///< with the GPU, as the report numbers it
    std::vector<EventRef> events; ///< where StatsQuery::wantEvents
};

constexpr std::string_view notSampled = "not sampled";

/// Metrics that were sampled together: one list of times for all.
struct Sampled {
    std::int32_t device = -1;
    const std::vector<Ns>* times = nullptr;
    std::vector<const CounterSeries*> series;
};

/// A sample and the time of a group that it holds for.
struct Piece {
    std::size_t sample = 0;
    Ns held = 0;
    bool inside = false; ///< the sample itself lies in the group's time
};

struct Figures {
    double mean = 0;
    float highest = 0;
    std::int64_t samples = 0;
};

bool isShown(const CounterSeries& series)
{
    return series.kind == CounterKind::GpuMetric && series.times && series.size() > 1
        && (series.lowest != 0 || series.highest != 0);
}

std::vector<Sampled> sampledTogether(const Trace& trace)
{
    std::vector<Sampled> all;
    for (const CounterSeries& series : trace.counters) {
        if (!isShown(series))
            continue;
        const auto found = std::ranges::find_if(all, [&](const Sampled& each) {
            return each.device == series.device && each.times == series.times.get();
        });
        if (found != all.end())
            found->series.push_back(&series);
        else
            all.push_back({series.device, series.times.get(), {&series}});
    }
    return all;
}

/// The parts of `times` for which each sample holds, in order. `busy` ascends.
std::vector<Piece> piecesOf(const std::vector<Ns>& times, const Intervals& busy)
{
    std::vector<Piece> pieces;
    std::size_t at = 0;
    for (const TimeRange& range : busy) {
        const auto first = std::ranges::upper_bound(times.begin() + static_cast<std::ptrdiff_t>(at),
            times.end(), range.start, {}, [](Ns time) { return time; });
        at = static_cast<std::size_t>(first - times.begin());
        at -= at > 0 ? 1 : 0; // the sample that holds when the range begins
        // The last sample holds for no known time.
        for (; at + 1 < times.size() && times[at] < range.end; ++at) {
            const TimeRange held = TimeRange{times[at], times[at + 1]}.clippedTo(range);
            if (!held.empty())
                pieces.push_back({at, held.duration(), range.contains(times[at])});
        }
        at -= at > 0 ? 1 : 0;
    }
    return pieces;
}

std::optional<Figures> figuresOf(const CounterSeries& series, const std::vector<Piece>& pieces)
{
    Figures figures;
    double area = 0;
    Ns held = 0;
    for (const Piece& piece : pieces) {
        const float value = series.values[piece.sample];
        area += static_cast<double>(value) * static_cast<double>(piece.held);
        held += piece.held;
        if (!piece.inside)
            continue;
        figures.highest = figures.samples == 0 ? value : std::max(figures.highest, value);
        ++figures.samples;
    }
    if (figures.samples == 0)
        return std::nullopt;
    figures.mean = area / static_cast<double>(std::max<Ns>(1, held));
    return figures;
}

/// Adds the rows of `group`.
void addRows(const Trace& trace, const MetricGroup& group, const std::vector<Sampled>& metrics, Cells& cells)
{
    const std::vector<Cell> head{group.total, static_cast<std::int64_t>(group.instances)};
    const auto row = [&](std::string metric, Cell device, const std::optional<Figures>& figures) {
        std::vector<Cell> made = head;
        made.emplace_back(std::move(metric));
        made.emplace_back(std::move(device));
        made.push_back(figures ? Cell(figures->mean) : Cell());
        made.push_back(figures ? Cell(static_cast<double>(figures->highest)) : Cell());
        made.push_back(figures ? Cell(figures->samples) : Cell());
        made.emplace_back(group.name);
        cells.addRow(std::move(made), group.events);
    };
    std::map<std::int32_t, std::vector<TimeRange>> byDevice;
    for (const auto& [device, range] : group.times)
        byDevice[device].push_back(range);
    bool any = false;
    for (auto& [device, ranges] : byDevice) {
        const Intervals busy = unionOf(std::move(ranges), trace.session);
        for (const Sampled& sampled : metrics) {
            if (sampled.device != device)
                continue;
            const std::vector<Piece> pieces = piecesOf(*sampled.times, busy);
            for (const CounterSeries* const series : sampled.series) {
                if (const auto figures = figuresOf(*series, pieces)) {
                    any = true;
                    row(std::string(trace.text(series->name)), std::int64_t{device}, figures);
                }
            }
        }
    }
    if (!any)
        row(std::string(notSampled), {}, {});
}

/// One row per group, the longest first, and GPU metric: the mean of the samples weighted by the group's time
/// for which each holds (until the next sample), the maximum and the number of samples inside. Leaves out
/// metrics that stayed zero in the whole report. A group without samples has one row without values, because
/// zero would be wrong. O(n log n + samples x metrics). Throws Stopped.
Cells metricRows(const Trace& trace, const StatsQuery& query, std::vector<MetricGroup> groups,
    std::string_view nameTitle, std::string_view totalTitle)
{
    Cells cells;
    cells.columns = {{std::string(totalTitle), Unit::Nanoseconds}, {"Instances", Unit::Count},
        {"Metric", Unit::Text}, {"GPU", Unit::Integer}, {"Mean", Unit::Real}, {"Max", Unit::Real},
        {"Samples", Unit::Count}, {std::string(nameTitle), Unit::Text}};
    std::ranges::stable_sort(groups, std::greater{}, &MetricGroup::total);
    const std::vector<Sampled> metrics = sampledTogether(trace);
    for (const MetricGroup& group : stoppableItems(groups, query.stop))
        addRows(trace, group, metrics, cells);
    return cells;
}

/// Whether the report has samples of GPU metrics.
bool hasGpuMetrics(const Trace& trace)
{
    return std::ranges::any_of(trace.counters, isShown);
}

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
