// Limits in sampled GPU metrics: multiprocessors idle while kernels run, memory bandwidth near its peak, the
// link near its peak.

#include "core/analysis/trace_analysis.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_metrics.h"
#include "core/store/trace.h"

#include <array>

namespace warpline::gpu_metrics_limits {

namespace {

constexpr std::string_view id = "gpu_metrics_limits";
constexpr Threshold lowSm{"low_sm", "SMs active below this while kernels run is low", "%", 50};
constexpr Threshold nearPeak{"near_peak", "Minimum throughput that is near its peak", "%", 80};
constexpr Threshold minShare{"min_share", "Minimum share of the kernels' time near the peak", "%", 10};
constexpr std::array thresholds{lowSm, nearPeak, minShare};

struct Words {
    Literal key;
    Literal english;
};

constexpr Words boundByMemory{
    "gpu_metrics_limits.memory", "The GPU's memory is the limit here: more arithmetic units would not help."};
constexpr Words boundByLink{
    "gpu_metrics_limits.link", "The link is the limit here: the copies cannot be faster."};

struct Limit {
    std::string_view metric;
    Words title; ///< completes "GPU 0: ..."
    Words why;
    Words remedy;
};

constexpr std::array limits{
    Limit{"DRAM Read", {"gpu_metrics_limits.reads", "memory reads near the peak"}, boundByMemory,
        {"gpu_metrics_limits.read_less",
            "Read less: fuse kernels, use smaller types (BF16, FP8), reuse data in shared memory, and order "
            "accesses so that each sector read is used whole (Nsight Compute: memory workload analysis)."}},
    Limit{"DRAM Write", {"gpu_metrics_limits.writes", "memory writes near the peak"}, boundByMemory,
        {"gpu_metrics_limits.write_less",
            "Write less: fuse kernels so that intermediate results stay in registers, use smaller types, and remove unnecessary memsets."}},
    Limit{"PCIe RX", {"gpu_metrics_limits.to_gpu", "PCIe towards the GPU near its peak"}, boundByLink,
        {"gpu_metrics_limits.send_less",
            "Send less or earlier: smaller types, data that stays on the GPU, copies that overlap with kernels."}},
    Limit{"PCIe TX", {"gpu_metrics_limits.to_host", "PCIe towards the host near its peak"}, boundByLink,
        {"gpu_metrics_limits.return_less",
            "Send less or earlier: smaller types, results that stay on the GPU, copies that overlap with kernels."}},
};

void findLowActivity(
    const RuleContext& context, const GpuFacts& gpu, std::int32_t device, std::vector<Finding>& findings)
{
    const std::optional<double> active = meanOfMetric(context.trace, "SMs Active", device, gpu.compute);
    if (!active || *active >= context.threshold(id, lowSm))
        return;
    const Ns time = totalTime(gpu.compute);
    Finding finding = findingOn(
        context, gpu.process, gpu.device, static_cast<Ns>(static_cast<double>(time) * (1 - *active / 100)));
    finding.confidence = Confidence::Certain;
    finding.claims = gpu.compute;
    finding.subject = {Subject::Kind::Part, "sms_active"};
    finding.title = Message("gpu_metrics_limits.sms_title",
        "{gpu}: only {percent}% of the multiprocessors are active while kernels run",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"percent", Number{*active, 0}}});
    finding.message = Message("gpu_metrics_limits.sms",
        "Over the {time} in which kernels run, SMs Active averages {percent}%. Full multiprocessors could save up to {saving}.",
        {{"time", Duration{time}}, {"percent", Number{*active, 1}}, {"saving", Duration{finding.saving}}});
    setClaimedStretches(finding, "gpu_metrics_limits.kernels_run", "kernels run for {time}");
    finding.where = gpu.span();
    findings.push_back(std::move(finding));
}

void findPeaks(
    const RuleContext& context, const GpuFacts& gpu, std::int32_t device, std::vector<Finding>& findings)
{
    for (const Limit& limit : limits) {
        const CounterSeries* const series = percentMetric(context.trace, limit.metric, device);
        if (!series)
            continue;
        const Intervals high
            = timeAtLeast(*series, static_cast<float>(context.threshold(id, nearPeak)), gpu.busy);
        const Ns time = totalTime(high);
        const Ns busy = totalTime(gpu.busy);
        if (high.empty() || !context.reachesShare(id, minShare, time, busy))
            continue;
        // A limit reached is no fault.
        Finding finding = findingWith(Severity::Info, Confidence::Certain, gpu.process, gpu.device);
        finding.subject = {Subject::Kind::Part, std::string(limit.metric)};
        finding.title = Message("gpu_metrics_limits.title", "{gpu}: {limit} for {time}",
            {{"gpu", Name{nameOf(context.trace, gpu)}},
                {"limit", Message(limit.title.key, limit.title.english)}, {"time", Duration{time}}});
        finding.message = Message("gpu_metrics_limits.peak",
            "{metric} is at {percent}% or above for {time} of the {busy} in which the GPU works.",
            {{"metric", Name{std::string(context.trace.text(series->name))}},
                {"percent", Number{context.threshold(id, nearPeak), 0}}, {"time", Duration{time}},
                {"busy", Duration{busy}}});
        finding.why = {limit.why.key, limit.why.english};
        finding.remedy = {limit.remedy.key, limit.remedy.english};
        setStretches(finding, high, "gpu_metrics_limits.near_peak", "near the peak for {time}");
        findings.push_back(std::move(finding));
    }
}

void findLimits(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    const std::int32_t number = device ? device->id : gpu.device;
    findLowActivity(context, gpu, number, findings);
    findPeaks(context, gpu, number, findings);
}

} // namespace

extern constinit const Rule gpuMetricsLimits{
    .id = id,
    .title = "Limits in the GPU metrics",
    .why = "A kernel that keeps few multiprocessors active leaves the rest of the GPU idle, although the "
           "timeline shows it busy.",
    .remedy
    = "Give kernels more blocks (more work at once, split further). Run independent kernels in streams of their own. Look at the slow kernels with Nsight Compute.",
    .caveat = "Metrics are of the whole GPU: other processes count as well.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            for (const CounterSeries& series : trace.counters) {
                if (series.kind == CounterKind::GpuMetric)
                    return true;
            }
            return false;
        },
    .checkGpu = findLimits,
};

} // namespace warpline::gpu_metrics_limits
