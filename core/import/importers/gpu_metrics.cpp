// GPU metrics: one series per device and metric. All metrics of a device are sampled together, so their
// series share one column of times. The low byte of typeId is the GPU.

#include "core/import/scan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace warpline::gpu_metrics {

namespace {

constexpr std::string_view table = "GPU_METRICS";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 1> nameTables{"TARGET_INFO_GPU_METRICS"};
constexpr std::array<std::string_view, 4> columns{"timestamp", "typeId", "metricId", "value"};
enum At : int { AtTime = 1, AtType, AtMetric, AtValue };

struct Samples {
    std::vector<Ns> times;
    std::vector<float> values;
};

using MetricKey = std::pair<std::int64_t, std::int64_t>; // typeId, metricId

struct MetricName {
    std::string name;
    std::string unit;
};

/// "SMs Active [Throughput %]" -> unit "%".
MetricName named(std::string_view text)
{
    MetricName metric{std::string(text), {}};
    const std::size_t bracket = text.rfind('[');
    if (bracket == std::string_view::npos || !text.ends_with(']'))
        return metric;
    const std::string_view unit = text.substr(bracket + 1, text.size() - bracket - 2);
    if (unit.ends_with('%'))
        metric.unit = "%";
    else if (unit == "MHz")
        metric.unit = "MHz";
    return metric;
}

std::map<MetricKey, MetricName> metricNames(ImportJob& job)
{
    std::map<MetricKey, MetricName> names;
    constexpr std::array<std::string_view, 3> nameColumns{"typeId", "metricId", "metricName"};
    enum AtOfName : int { OfType = 1, OfMetric, OfName };
    const auto read = scanTable(job, "TARGET_INFO_GPU_METRICS", nameColumns, {}, [&](const sqlite::Row& row) {
        names[{row.integer(OfType), row.integer(OfMetric)}] = named(row.text(OfName));
    });
    if (!read.ok())
        job.log.add("TARGET_INFO_GPU_METRICS", ProblemKind::GpuMetricNamesUnreadable);
    return names;
}

void sortByTime(Samples& samples)
{
    if (std::ranges::is_sorted(samples.times))
        return;
    std::vector<std::uint32_t> order(samples.times.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return samples.times[i]; });
    Samples sorted;
    for (const std::uint32_t i : order) {
        sorted.times.push_back(samples.times[i]);
        sorted.values.push_back(samples.values[i]);
    }
    samples = std::move(sorted);
}

/// Clocks are recorded in Hz under a name with MHz.
void toMegahertz(std::vector<float>& values)
{
    constexpr float minHz = 1e6F; // no clock reaches this in MHz
    if (values.empty() || *std::ranges::max_element(values) < minHz)
        return;
    for (float& value : values)
        value = static_cast<float>(value * 1e-6);
}

CounterSeries seriesOf(const MetricKey& key, Samples& samples, const MetricName& metric, StringPool& pool)
{
    CounterSeries series;
    series.name = pool.intern(metric.name);
    series.unit = pool.intern(metric.unit);
    series.device = static_cast<std::int32_t>(key.first & 0xFF);
    if (metric.unit == "MHz")
        toMegahertz(samples.values);
    series.values = std::move(samples.values);
    series.summarize();
    return series;
}

Result<void> importMetrics(ImportJob& job)
{
    const auto names = metricNames(job);
    std::map<MetricKey, Samples> metrics;
    const auto rows
        = scanEvents(job, table, columns, {AtTime}, [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
              Samples& samples = metrics[{row.integer(AtType), row.integer(AtMetric)}];
              samples.times.push_back(time.start);
              samples.values.push_back(static_cast<float>(std::clamp(row.real(AtValue), -1e18, 1e18)));
          });
    if (!rows.ok())
        return rows.error();
    TimeRange span{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
    job.trace.edit([&](Trace& trace) {
        std::shared_ptr<const std::vector<Ns>> shared;
        for (auto& [key, samples] : metrics) {
            sortByTime(samples);
            const auto name = names.find(key);
            CounterSeries series = seriesOf(key, samples,
                name != names.end() ? name->second : MetricName{"Metric " + std::to_string(key.second), {}},
                job.trace.pool());
            if (!shared || *shared != samples.times)
                shared = std::make_shared<const std::vector<Ns>>(std::move(samples.times));
            series.times = shared;
            span = span.unitedWith({shared->front(), shared->back()});
            trace.counters.push_back(std::move(series));
        }
        trace.info.gpuMetricSamples = rows.value();
    });
    job.trace.extendSession(span);
    return {};
}

} // namespace

extern constinit const Importer gpuMetrics{.id = "gpu-metrics",
    .progressText = "Reading GPU metrics",
    .needs = tables,
    .alsoReads = nameTables,
    .run = importMetrics};

} // namespace warpline::gpu_metrics
