// Stretches in which a GPU context runs nothing, although work came before and comes after, as nsys' gpu_gaps
// lists them.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_activity.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view id = "gpu_gaps";
constexpr std::array<Threshold, 1> thresholds{{{"min_gap_ns", "Shortest gap", "ns", 500e6}}};

std::vector<Finding> findGaps(const RuleContext& context)
{
    const Ns shortest = static_cast<Ns>(context.threshold(id, thresholds[0]));
    std::vector<Finding> findings;
    for (const auto& [key, gpu] : gpuActivity(context.trace, context.window, true, context.stop)) {
        Intervals free = gaps(gpu.busy, gpu.span());
        std::erase_if(free, [&](TimeRange gap) { return gap.duration() < shortest; });
        if (free.empty())
            continue;
        Finding finding;
        finding.claims = free;
        std::ranges::stable_sort(free, std::greater{}, &TimeRange::duration);
        finding.confidence = Confidence::Certain;
        finding.process = key.process;
        finding.device = key.device;
        finding.saving = totalTime(free);
        finding.severity = severityOf(context, finding.saving);
        finding.title = fmt::format("{} idle for {} in {} gap{}", nameOf(context.trace, key),
            formatDuration(finding.saving), formatCount(free.size()), free.size() == 1 ? "" : "s");
        finding.message = fmt::format(
            "Between its first and last work, the GPU ran nothing for {} or longer at a stretch "
            "{} times; the longest gap is {}.",
            formatDuration(shortest), formatCount(free.size()), formatDuration(free.front().duration()));
        finding.where = free.front();
        finding.evidenceTotal = free.size();
        for (const TimeRange& gap : free) {
            if (finding.evidence.size() < mostEvidence)
                finding.evidence.push_back({gap, {}, "nothing runs for " + formatDuration(gap.duration())});
        }
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule gpuGaps{
    .id = id,
    .title = "Long GPU gaps",
    .why = "A GPU without work costs the same as a busy one. A gap this long is never launch latency: the "
           "host was doing "
           "something else, or waiting for it.",
    .remedy = "Look at the CPU rows above the gap: data loading, compilation, allocation, I/O or locks. Move "
              "that work to "
              "other threads or before the measured part, and prefetch the next step's input.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return trace.kernels().size() + trace.memcpys().size() > 1; },
    .check = findGaps,
};

} // namespace warpline
