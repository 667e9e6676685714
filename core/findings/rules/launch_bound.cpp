// The staircase: each launch finds the GPU already done with everything before it, so the GPU starts the work
// as soon as the launch returns and is done before the next. The host paces the GPU. With a healthy queue the
// host is several launches ahead and hardly any launch finds it empty.

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/findings/evidence.h"
#include "core/findings/idle_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "launch_bound";
constexpr std::array<Threshold, 3> thresholds{{{"min_launches", "Minimum number of launches", "", 500},
    {"min_empty", "Minimum share of launches that find the queue empty", "%", 50},
    {"min_idle", "Minimum share of the time that the GPU waits for launches", "%", 5}}};
constexpr std::array<std::string_view, 5> absorbed{
    "gpu_idle_cause", "gpu_gaps", "gpu_time_util", "kernel_storm", "short_kernels"};

constexpr std::size_t gapsPerLook = 1U << 16U; ///< at the stop token
constexpr std::size_t mostAsked = 1U << 14U; ///< gaps that are asked for the program's ranges: a sample tells

struct Pace {
    Ns idle = 0;
    std::vector<TimeRange> gaps;
    TimeByName ranges; ///< of a sample of the gaps, by the program's own NVTX range
};

/// The gaps in which the host was launching, or computing what to launch.
Pace measure(const RuleContext& context, const GpuFacts& gpu)
{
    RunFacts& facts = factsOf(context);
    const EventTable& calls = context.trace.apiCalls();
    Pace pace;
    const TimeRange measured = facts.measuredRange();
    const std::size_t stride = gpu.gaps.size() / mostAsked + 1;
    for (std::size_t i = 0; i < gpu.gaps.size(); ++i) {
        const IdleGap& gap = gpu.gaps[i];
        if (i % gapsPerLook == 0 && context.stop.stop_requested())
            return {};
        const EventIndex call = facts.callOf(gap.next);
        if (gap.range.duration() >= launchPace || call == noIndex || calls.end(call) < gap.range.start
            || !measured.overlaps(gap.range))
            continue;
        if (gap.range.duration() >= shortestCause) {
            const GapCause cause = causeOf(context.trace, facts, gap);
            if (!isLaunchPace(cause.main, gap.range.duration()))
                continue;
            for (const HostDoing doing :
                {HostDoing::Launching, HostDoing::OtherCalls, HostDoing::OwnCode, HostDoing::OsCalls})
                pace.idle += cause.parts[indexOf(doing)];
        } else {
            pace.idle += gap.range.duration();
        }
        pace.gaps.push_back(gap.range);
        if (i % stride == 0)
            addOwnRanges(context.trace, facts.threadOf(call), {gap.range}, pace.ranges);
    }
    return pace;
}

/// " Most of it in attn_# (62.0%)."; empty: the program has no ranges of its own there, or the step alone.
std::string mostlyIn(const RuleContext& context, const GpuFacts& gpu, const TimeByName& ranges)
{
    const std::string& step = factsOf(context).steps(gpu.process).pattern;
    std::map<std::string, Ns> patterns;
    Ns all = 0;
    for (const auto& [name, time] : ranges) {
        patterns[withoutNumbers(context.trace.text(name))] += time;
        all += time;
    }
    patterns.erase(step);
    const auto most = std::ranges::max_element(patterns, {}, [](const auto& entry) { return entry.second; });
    if (most == patterns.end() || all <= 0)
        return {};
    return fmt::format(" Most of it in {} ({}).", toUtf8(most->first),
        formatShare(static_cast<double>(most->second) / static_cast<double>(all)));
}

std::vector<Finding> findStaircase(const RuleContext& context)
{
    std::vector<Finding> findings;
    RunFacts& facts = factsOf(context);
    for (const GpuFacts& gpu : facts.gpus()) {
        const double empty = static_cast<double>(gpu.emptyLaunches)
            / static_cast<double>(std::max<std::uint64_t>(1, gpu.launches));
        if (static_cast<double>(gpu.launches) < context.threshold(id, thresholds[0])
            || empty * 100 < context.threshold(id, thresholds[1]))
            continue;
        Pace pace = measure(context, gpu);
        if (static_cast<double>(pace.idle) * 100
            < context.threshold(id, thresholds[2]) * static_cast<double>(facts.measured()))
            continue;
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.saving = pace.idle;
        finding.severity = severityOf(context, pace.idle);
        finding.title = fmt::format("{} waits {} for launches: the host paces it", nameOf(context.trace, gpu),
            formatDuration(pace.idle));
        finding.message
            = fmt::format("{} of {} launches ({}) find the GPU already idle: it starts as soon as the launch "
                          "returns and is done before the "
                          "next. In the {} gaps between, {} each on average, it waits {}; it works for {}.",
                formatCount(gpu.emptyLaunches), formatCount(gpu.launches), formatShare(empty),
                formatCount(pace.gaps.size()),
                formatDuration(pace.gaps.empty() ? 0 : pace.idle / static_cast<Ns>(pace.gaps.size())),
                formatDuration(pace.idle), formatDuration(totalTime(gpu.busy)));
        finding.message += mostlyIn(context, gpu, pace.ranges);
        finding.claims = pace.gaps;
        setStretches(finding, std::move(pace.gaps), [](TimeRange gap) {
            return fmt::format("waits {} for the next launch", formatDuration(gap.duration()));
        });
        finding.where = gpu.span();
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule launchBound{
    .id = id,
    .title = "Launch-bound: the host paces the GPU",
    .why = "Preparing and launching a kernel takes the host 5 to 50 us, most of it in the layers above "
           "CUDA where there are any. Where kernels are shorter than that, the queue is always empty and "
           "the GPU's speed no longer matters.",
    .remedy = "Launch many kernels with one call (CUDA Graphs), fuse neighbours, give each kernel more to "
              "do, and keep synchronization out of the loop so that the host can run ahead.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return !trace.kernels().empty() && !trace.apiCalls().empty(); },
    .check = findStaircase,
    .absorbs = absorbed,
};

} // namespace warpline
