#include "core/findings/gpu_metrics.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t fewestSamples = 5;

} // namespace

const CounterSeries* percentMetric(const Trace& trace, std::string_view name, std::int32_t device)
{
    for (const CounterSeries& series : trace.counters) {
        const std::string_view title = trace.text(series.name);
        const bool percent = trace.text(series.unit) == "%" || title.find('%') != std::string_view::npos;
        if (series.kind == CounterKind::GpuMetric && series.device == device && percent && title.starts_with(name)
            && series.times && series.size() > 0)
            return &series;
    }
    return nullptr;
}

std::optional<double> meanOfMetric(const Trace& trace, std::string_view name, std::int32_t device, const Intervals& times)
{
    const CounterSeries* const series = percentMetric(trace, name, device);
    if (!series)
        return std::nullopt;
    double sum = 0;
    std::size_t samples = 0;
    auto interval = times.begin();
    for (std::size_t i = 0; i < series->size() && interval != times.end(); ++i) {
        const Ns time = (*series->times)[i];
        while (interval != times.end() && interval->end <= time)
            ++interval;
        if (interval == times.end() || time < interval->start)
            continue;
        sum += static_cast<double>(series->values[i]);
        ++samples;
    }
    return samples >= fewestSamples ? std::optional(sum / static_cast<double>(samples)) : std::nullopt;
}

Intervals timeAtLeast(const CounterSeries& series, float level, const Intervals& times)
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
