// Time in which a GPU idles between work. When requested by name the rule lists the same as nsys' gpu_gaps:
// by context, from 500 ms on. Otherwise it covers GPUs, because the context of unified memory's migrations is
// not a GPU, and its threshold is lower where steps are shorter.

#include "core/analysis/gpu_activity.h"
#include "core/analysis/trace_analysis.h"
#include "core/findings/evidence.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline::gpu_gaps {

namespace {

constexpr std::string_view id = "gpu_gaps";
constexpr Threshold minGap{"min_gap_ns", "Minimum gap", "ns", 500e6};
constexpr std::array thresholds{minGap};

constexpr Ns alwaysShort = 5'000'000; ///< however short the steps are

/// The gaps between the first and the last work of `name`, a GPU or one context on it.
void findGapsOf(const RuleContext& context, const std::string& name, const PackedIntervals& busy, Ns shortest,
    GlobalId process, std::int32_t device, std::vector<Finding>& findings)
{
    if (busy.empty())
        return;
    Intervals free;
    for (std::size_t i = 1; i < busy.size(); ++i) {
        const TimeRange gap{busy[i - 1].end, busy[i].start};
        if (gap.duration() >= shortest)
            free.push_back(gap);
    }
    if (free.empty())
        return;
    Finding finding = findingOn(context, process, device, free);
    finding.confidence = Confidence::Certain;
    setStretches(finding, free, "gpu_gaps.gap", "nothing runs for {time}");
    finding.title
        = Message("gpu_gaps.title", "{gpu} idle for {time} in {gaps, plural, one {# gap} other {# gaps}}",
            {{"gpu", Name{name}}, {"time", Duration{finding.saving}}, {"gaps", Count{free.size()}}});
    finding.message = Message("gpu_gaps.gaps",
        "Between its first and last work, the GPU ran nothing for {shortest} or longer at a stretch {times, plural, one "
        "{# time} other {# times}}; the longest gap is {longest}.",
        {{"shortest", Duration{shortest}}, {"times", Count{free.size()}},
            {"longest", Duration{finding.where.duration()}}});
    findings.push_back(std::move(finding));
}

/// The shortest gap that is long: `longest`, but where there are steps a gap of a whole step.
Ns longFor(const RuleContext& context, Ns longest)
{
    Ns step = longest;
    for (const GpuFacts& gpu : context.facts.gpus()) {
        if (const StepSeries& steps = context.facts.steps(gpu.process); !steps.empty())
            step = std::min(step, steps.median);
    }
    return std::min(longest, std::max(step, alwaysShort));
}

std::vector<Finding> findGaps(const RuleContext& context)
{
    const Ns shortest = static_cast<Ns>(context.threshold(id, minGap));
    std::vector<Finding> findings;
    if (context.asNsys) {
        for (const auto& [key, gpu] : gpuActivity(context.trace, context.window, true, context.stop)) {
            findGapsOf(
                context, nameOf(context.trace, key), gpu.busy, shortest, key.process, key.device, findings);
        }
        return findings;
    }
    const Ns aLot = longFor(context, shortest);
    for (const auto& [key, device] : busyByDevice(context.trace, context.facts, context.window)) {
        findGapsOf(context, fmt::format("GPU {}", key.first), device.busy, aLot, device.process,
            device.ordinal, findings);
    }
    return findings;
}

} // namespace

extern constinit const Rule gpuGaps{
    .id = id,
    .title = "Long GPU gaps",
    .why = "A GPU without work costs the same as a busy one. A gap this long is never launch latency: the "
           "host was doing something else, or waiting for it.",
    .remedy = "Look at the CPU rows above the gap: data loading, compilation, allocation, I/O or locks. "
              "Move that work to other threads or before the measured part, and "
              "prefetch the next step's input.",
    .caveat = "The recording may not be typical: check another one.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace,
                   const std::stop_token&) { return trace.kernels().size() + trace.memcpys().size() > 1; },
    .check = findGaps,
};

} // namespace warpline::gpu_gaps
