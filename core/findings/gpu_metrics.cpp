#include "core/findings/gpu_metrics.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t minMetricSamples = 5;
constexpr double wholly = 0.95; ///< of the time around a sample

/// The time between the neighbours of sample `i`, over which its value is the mean.
TimeRange around(const std::vector<Ns>& times, std::size_t i)
{
    return {times[i > 0 ? i - 1 : i], times[i + 1 < times.size() ? i + 1 : i]};
}

} // namespace

const CounterSeries* percentMetric(const Trace& trace, std::string_view name, std::int32_t device)
{
    for (const CounterSeries& series : trace.counters) {
        const std::string_view title = trace.text(series.name);
        const bool percent = trace.text(series.unit) == "%" || title.find('%') != std::string_view::npos;
        if (series.kind == CounterKind::GpuMetric && series.device == device && percent
            && title.starts_with(name) && series.times && series.size() > 0)
            return &series;
    }
    return nullptr;
}

namespace {

/// Mean over the samples of `series` inside `times`. Samples partly outside are excluded: with them, short
/// kernels with gaps would look like idle multiprocessors.
std::optional<double> meanOf(const CounterSeries& series, const PackedIntervals& times)
{
    double sum = 0;
    std::size_t samples = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const TimeRange range = around(*series.times, i);
        if (range.empty()
            || static_cast<double>(times.timeIn(range)) < wholly * static_cast<double>(range.duration()))
            continue;
        sum += static_cast<double>(series.values[i]);
        ++samples;
    }
    return samples >= minMetricSamples ? std::optional(sum / static_cast<double>(samples)) : std::nullopt;
}

} // namespace

std::optional<double> meanOfMetric(
    const Trace& trace, std::string_view name, std::int32_t device, const PackedIntervals& times)
{
    const CounterSeries* const series = percentMetric(trace, name, device);
    return series ? meanOf(*series, times) : std::nullopt;
}

std::optional<double> meanClock(const Trace& trace, std::int32_t device, const PackedIntervals& times)
{
    for (const CounterSeries& series : trace.counters) {
        if (series.kind != CounterKind::GpuMetric || series.device != device || !series.times
            || !trace.text(series.name).starts_with("GPC Clock Frequency"))
            continue;
        constexpr double hzPerMHz = 1e6;
        if (const std::optional<double> mean = meanOf(series, times); mean && *mean > 0)
            return *mean * hzPerMHz;
    }
    return std::nullopt;
}

Intervals timeAtLeast(const CounterSeries& series, float level, const PackedIntervals& times)
{
    std::vector<TimeRange> high;
    for (std::size_t i = 0; i + 1 < series.size(); ++i) {
        if (series.values[i] >= level)
            high.push_back({(*series.times)[i], (*series.times)[i + 1]});
    }
    if (high.empty() || times.empty())
        return {};
    const TimeRange all{times.front().start, times.back().end};
    return intersection(unionOf(std::move(high), all), times);
}

} // namespace warpline
