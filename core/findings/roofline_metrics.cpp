#include "core/findings/roofline_metrics.h"

#include "core/base/message_names.h"
#include "core/base/stop.h"
#include "core/findings/gpu_metrics.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace warpline {

namespace {

/// The kernels' time of `gpu` in `window`, each moment once.
PackedIntervals kernelTime(
    const Trace& trace, const OperatorGpu& gpu, TimeRange window, const std::stop_token& stop)
{
    std::vector<TimeRange> ranges;
    const KernelTable& kernels = trace.kernels();
    StopCheck check(stop);
    for (const std::uint32_t track : gpu.tracks) {
        for (const EventIndex i : eventsIn(kernels, kernels.tracks[track], window)) {
            check.step();
            ranges.push_back(kernels.range(i));
        }
    }
    return unionOf(std::move(ranges), window, stop);
}

/// The value of a percent metric during `times`. Kernels are shorter than samples, so activity of the
/// surrounding samples is attributed to them.
std::optional<double> shareWhile(
    const Trace& trace, std::string_view name, std::int32_t device, const PackedIntervals& times)
{
    const CounterSeries* const series = percentMetric(trace, name, device);
    const auto whole = static_cast<double>(totalTime(times));
    if (!series || whole <= 0)
        return std::nullopt;
    double active = 0; // ns
    std::size_t samples = 0;
    for (std::size_t i = 1; i + 1 < series->size(); ++i) {
        const TimeRange around{(*series->times)[i - 1], (*series->times)[i + 1]};
        if (times.timeIn(around) <= 0)
            continue;
        active += static_cast<double>(series->values[i]) / 100 * static_cast<double>(around.duration()) / 2;
        ++samples;
    }
    constexpr std::size_t fewest = 20;
    return samples >= fewest ? std::optional(std::min(100.0, active / whole * 100)) : std::nullopt;
}

/// The peak that `work` is measured against, at `clockHz`.
double peakAt(const GpuPeaks& peaks, const Device* device, MathType type, double clockHz)
{
    const CycleRates* const rates
        = device && !peaks.amd ? cycleRatesOf(device->computeMajor, device->computeMinor) : nullptr;
    const double each = rates ? rates->tensor.of(type) : 0;
    return each > 0 && clockHz > 0 ? each * peaks.multiprocessors * clockHz : peaks.tensor.of(type);
}

} // namespace

RooflineMetrics rooflineMetrics(const Trace& trace, const OperatorRooflines& rooflines,
    const OperatorGpu& gpu, TimeRange window, const std::stop_token& stop)
{
    RooflineMetrics metrics;
    const Device* const device = trace.device(gpu.process, gpu.device);
    if (!device || !gpu.peaks || trace.counters.empty())
        return metrics;
    const PackedIntervals times = kernelTime(trace, gpu, window, stop);
    metrics.tensorActive = shareWhile(trace, "Tensor Active", device->id, times);
    const auto read = shareWhile(trace, "DRAM Read", device->id, times);
    const auto written = shareWhile(trace, "DRAM Write", device->id, times);
    if (read && written)
        metrics.dram = *read + *written;
    if (const auto clock = meanClock(trace, device->id, times))
        metrics.clockHz = *clock;
    const auto whole = static_cast<double>(totalTime(times));
    if (whole <= 0)
        return metrics;
    double busy = 0; // ns of tensor cores at their peak
    for (const ShapeUse& use : rooflines.shapesOn(trace, gpu, window, stop)) {
        if (use.flops <= 0 || use.roofline.roof.unit != MathUnit::Tensor)
            continue;
        const double peak = peakAt(*gpu.peaks, device, use.roofline.roof.type, metrics.clockHz.value_or(0));
        if (peak > 0)
            busy += use.flops / peak * 1e9;
    }
    metrics.modelTensor = busy / whole * 100;
    const WorkSums sums = rooflines.within(trace, gpu, window);
    metrics.modelTime = std::min(100.0, sums.knownNs / whole * 100);
    if (gpu.peaks->bytesPerSecond > 0)
        metrics.modelDram = sums.bytes / gpu.peaks->bytesPerSecond * 1e9 / whole * 100;
    return metrics;
}

Message metricsText(const RooflineMetrics& metrics)
{
    // Models count the necessary work; pipes and memory do more.
    const double near = 5; // points
    const double nearShare = 0.25;
    const double wellKnown = 90; // percent of the kernels' time
    const auto agree = [near, nearShare](double a, double b) {
        return std::abs(a - b) <= std::max(near, nearShare * std::max(a, b));
    };
    Message text;
    if (metrics.tensorActive)
        text += {"operators.metrics_tensor",
            "GPU metrics: tensor cores active {active}% of the kernels' time, by the model {model}%: they {agree, select, yes {agree} other {differ}}.",
            {{"active", Number{*metrics.tensorActive}}, {"model", Number{metrics.modelTensor}},
                {"agree", yesOrNo(agree(*metrics.tensorActive, metrics.modelTensor))}}};
    if (!metrics.dram)
        return text;
    text += {"operators.metrics_memory",
        "GPU metrics: memory at {measured}% of its bandwidth, by the model {model}%.",
        {{"measured", Number{*metrics.dram}}, {"model", Number{metrics.modelDram}}}};
    const std::string_view reason = agree(*metrics.dram, metrics.modelDram) ? "agree"
        : *metrics.dram < metrics.modelDram                                 ? "cache"
        : metrics.modelTime < wellKnown                                     ? "unknown"
                                                                            : "more";
    text += {"operators.metrics_reason",
        "{reason, select, agree {They agree.} cache {The rest comes from the L2 cache.} "
        "unknown {The model knows the work of {known}% of that time.} other {Kernels move more than they must.}}",
        {{"reason", Name{std::string(reason)}}, {"known", Number{metrics.modelTime}}}};
    return text;
}

} // namespace warpline
