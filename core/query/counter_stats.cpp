#include "core/query/counter_stats.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace warpline {

namespace {

/// "24.7 M", "1,980", "0.42": three or four digits are enough.
std::string compactNumber(double value)
{
    const double size = std::abs(value);
    if (size >= 1e9)
        return formatReal(value / 1e9, 1) + " G";
    if (size >= 1e6)
        return formatReal(value / 1e6, 1) + " M";
    if (size >= 1e5)
        return formatReal(value / 1e3, 0) + " k";
    if (size >= 100 || value == std::floor(value))
        return value < 0 ? formatReal(value, 0)
                         : formatCount(static_cast<std::uint64_t>(std::llround(value)));
    return formatReal(value, size < 1 ? 2 : 1);
}

/// The mean over the time of `window` of values that hold until the next sample; from the first sample on.
double meanOverTime(const CounterSeries& series, std::size_t first, std::size_t last, TimeRange window)
{
    const std::vector<Ns>& times = *series.times;
    double area = 0;
    Ns from = window.start;
    double value = first > 0 ? static_cast<double>(series.values[first - 1]) : 0;
    Ns length = 0;
    const auto holdUntil = [&](Ns until, bool known) {
        if (known) {
            area += value * static_cast<double>(until - from);
            length += until - from;
        }
        from = until;
    };
    for (std::size_t i = first; i < last; ++i) {
        holdUntil(times[i], i > 0);
        value = static_cast<double>(series.values[i]);
    }
    holdUntil(window.end, true);
    return length > 0 ? area / static_cast<double>(length) : value;
}

bool isSampled(const CounterSeries& series)
{
    return series.kind == CounterKind::GpuMetric;
}

} // namespace

std::optional<CounterFigures> counterFigures(const Trace& trace, std::uint32_t counter, TimeRange window)
{
    const CounterSeries& series = trace.counters[counter];
    if (!series.times || series.values.empty() || window.empty())
        return std::nullopt;
    const std::vector<Ns>& times = *series.times;
    const auto at = [&](Ns time) {
        return static_cast<std::size_t>(std::ranges::lower_bound(times, time) - times.begin());
    };
    const std::size_t first = at(window.start);
    const std::size_t last = at(window.end);
    CounterFigures figures{.counter = counter, .samples = last - first};
    // A metric is unknown after its last sample; an amount of memory stays.
    const bool held = first > 0 && (!isSampled(series) || first < times.size());
    if (first == last) {
        if (!held)
            return std::nullopt;
        figures.low = figures.high = series.values[first - 1];
        figures.mean = static_cast<double>(figures.low);
        return figures;
    }
    std::tie(figures.low, figures.high) = series.extremes(first, last);
    if (isSampled(series)) {
        figures.mean = std::accumulate(series.values.begin() + static_cast<std::ptrdiff_t>(first),
                           series.values.begin() + static_cast<std::ptrdiff_t>(last), 0.0)
            / static_cast<double>(figures.samples);
        return figures;
    }
    if (held && times[first] > window.start) {
        figures.low = std::min(figures.low, series.values[first - 1]);
        figures.high = std::max(figures.high, series.values[first - 1]);
    }
    figures.mean = meanOverTime(series, first, last, window);
    return figures;
}

std::vector<CounterFigures> allCounterFigures(const Trace& trace, TimeRange window)
{
    std::vector<CounterFigures> all;
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        if (const auto figures = counterFigures(trace, i, window))
            all.push_back(*figures);
    }
    std::ranges::stable_partition(
        all, [](const CounterFigures& figures) { return figures.low != 0 || figures.high != 0; });
    return all;
}

std::vector<TextRow> metricsDuring(const Trace& trace, EventRef event)
{
    std::vector<TextRow> facts;
    if (!event.valid() || !isGpuWork(event.kind))
        return facts;
    const Track& track = trace.track(trace.trackOf(event));
    const Device* const device = trace.device(track.owner, track.device);
    const std::int32_t id = device ? device->id : track.device;
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i) {
        const CounterSeries& series = trace.counters[i];
        if (!isSampled(series) || series.device != id)
            continue;
        const auto found = counterFigures(trace, i, trace.range(event));
        if (!found || found->samples == 0 || (found->low == 0 && found->high == 0))
            continue;
        const CounterFigures& figures = *found;
        const auto text = [&](double value, std::optional<int> decimals = {}) {
            return counterValueText(trace, series, value, decimals);
        };
        Message value = figures.samples == 1
            ? Message("details.one_sample", "{value} (1 sample)", {{"value", Name{text(figures.mean)}}})
            : Message("details.samples", "{mean} ({low} to {high}, {samples} samples)",
                {{"mean", Name{text(figures.mean, 1)}}, {"low", Name{text(static_cast<double>(figures.low))}},
                    {"high", Name{text(static_cast<double>(figures.high))}},
                    {"samples", Count{figures.samples}}});
        facts.push_back({nameMessage(toUtf8(trace.text(series.name))), std::move(value)});
    }
    return facts;
}

std::string counterValueText(
    const Trace& trace, const CounterSeries& series, double value, std::optional<int> decimals)
{
    const std::string unit(trace.text(series.unit));
    if (unit == "B")
        return formatBytes(static_cast<std::uint64_t>(std::min(std::max(0.0, value), 1e19)));
    if (unit == "B/s")
        return formatThroughput(std::max(0.0, value));
    if (unit == "%")
        return formatReal(value, decimals.value_or(value != 0 && std::abs(value) < 10 ? 1 : 0)) + "%";
    return compactNumber(value) + (unit.empty() ? "" : " " + unit);
}

} // namespace warpline
