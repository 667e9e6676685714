// Where the time of a busy GPU goes: its longest kernels, and the command that looks into the first of them.
// What happens inside a kernel is not in such a report.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/kernel_names.h"
#include "core/findings/run_facts.h"
#include "core/query/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view id = "top_kernels";
constexpr std::array<Threshold, 2> thresholds{
    {{"min_busy", "Least share of the measured time in kernels", "%", 50},
        {"min_share", "... or least share of one kernel in the kernels' time", "%", 50}}};
constexpr std::size_t named = 3;
constexpr std::uint64_t eventsPerLook = 1U << 16U; ///< at the stop token

struct Total {
    Ns time = 0;
    std::uint64_t launches = 0;
    EventRef longest;
    std::uint64_t launchOfLongest = 0; ///< how many of the kind were launched before it
};

std::vector<std::pair<StringId, Total>> totalsOf(const RuleContext& context, const GpuFacts& gpu, Ns& all)
{
    const KernelTable& kernels = context.trace.kernels();
    std::map<StringId, Total> totals;
    std::map<StringId, bool> counts;
    std::uint64_t seen = 0;
    for (const std::uint32_t packed : gpu.work) {
        if (++seen % eventsPerLook == 0 && context.stop.stop_requested())
            return {};
        const EventRef event = Links::unpack(packed);
        if (event.kind != EventKind::Kernel)
            continue;
        const auto [place, added] = counts.try_emplace(kernels.name[event.index], true);
        if (added)
            place->second = !isCollective(context.trace.text(kernels.name[event.index]));
        if (!place->second)
            continue; // a collective waits for others: its time is no work
        Total& total = totals[kernels.name[event.index]];
        if (!total.longest.valid() || kernels.duration[event.index] > kernels.duration[total.longest.index]) {
            total.longest = event;
            total.launchOfLongest = total.launches;
        }
        ++total.launches;
        total.time += kernels.duration[event.index];
        all += kernels.duration[event.index];
    }
    std::vector<std::pair<StringId, Total>> ranked(totals.begin(), totals.end());
    std::ranges::stable_sort(ranked, std::greater{}, [](const auto& entry) { return entry.second.time; });
    return ranked;
}

/// "63x50x1 blocks of 16x16x1 threads, enough to fill the GPU 5.8 times, occupancy 62.5%".
std::string shapeOf(const Trace& trace, EventRef kernel)
{
    const KernelLaunch& launch = trace.kernels().launch(kernel.index);
    std::string text = fmt::format("{}x{}x{} blocks of {}x{}x{} threads", launch.grid.x, launch.grid.y,
        launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
    if (const double waves = theoreticalWaves(trace, kernel.index); waves > 0)
        text += waves >= 0.01
            ? fmt::format(", enough to fill the GPU {} times", formatReal(waves, waves < 10 ? 2 : 0))
            : std::string(", far too few to fill the GPU");
    if (const double occupancy = theoreticalOccupancy(trace, kernel.index); occupancy > 0)
        text += fmt::format(", theoretical occupancy {} with {} registers a thread", formatShare(occupancy),
            launch.registersPerThread);
    return text;
}

/// The function's name as ncu's --kernel-name compares it.
std::string functionOf(const Trace& trace, EventRef kernel)
{
    const std::string_view name = trace.text(trace.kernels().launch(kernel.index).shortName);
    return name.empty() ? shortFunctionName(trace.name(kernel)) : std::string(name);
}

std::string commandFor(const Trace& trace, const Total& total)
{
    return fmt::format("ncu --set full --kernel-name {} --launch-skip {} --launch-count 1 -o kernel {}",
        functionOf(trace, total.longest), total.launchOfLongest,
        trace.info.commandLine.empty() ? std::string("./program") : trace.info.commandLine);
}

std::vector<Finding> findTop(const RuleContext& context)
{
    const Trace& trace = context.trace;
    RunFacts& facts = factsOf(context);
    std::vector<Finding> findings;
    for (const GpuFacts& gpu : facts.gpus()) {
        Ns all = 0;
        const auto ranked = totalsOf(context, gpu, all);
        if (ranked.empty() || all <= 0)
            continue;
        const Ns busy = totalTime(clipped(gpu.compute, facts.measuredRange()));
        const Total& first = ranked.front().second;
        if (static_cast<double>(busy) * 100
                < context.threshold(id, thresholds[0]) * static_cast<double>(facts.measured())
            && static_cast<double>(first.time) * 100
                < context.threshold(id, thresholds[1]) * static_cast<double>(all))
            continue;
        const auto shareOf = [&](const Total& total) {
            return formatShare(static_cast<double>(total.time) / static_cast<double>(all));
        };
        Finding finding;
        finding.process = gpu.process;
        finding.device = gpu.device;
        finding.severity = Severity::Info;
        finding.confidence = Confidence::Certain;
        finding.title = fmt::format("{}: {} takes {} of the kernels' time", nameOf(trace, gpu),
            functionOf(trace, first.longest), shareOf(first));
        finding.message = "Where the GPU's time goes:";
        std::vector<EventRef> longest;
        for (std::size_t i = 0; i < std::min(named, ranked.size()); ++i) {
            const Total& total = ranked[i].second;
            longest.push_back(total.longest);
            finding.message += fmt::format("{} {} {} ({}, {}; {})", i > 0 ? ";" : "",
                functionOf(trace, total.longest), shareOf(total), formatDuration(total.time),
                counted(total.launches, "launch", "launches"), shapeOf(trace, total.longest));
        }
        finding.message
            += ". Such a report cannot see inside a kernel: whether it is good, Nsight Compute tells.";
        finding.remedy = fmt::format("Look into the longest launch of it: {}", commandFor(trace, first));
        setEvidence(finding, trace, longest, [](EventRef) { return std::string("the longest launch"); });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule topKernels{
    .id = id,
    .title = "The kernels that take most",
    .why
    = "Once the GPU is busy, only faster kernels help, and the longest ones first. A timeline shows when a "
      "kernel runs and not what it does; Nsight Compute measures one launch from the inside: memory, "
      "arithmetic, stalls.",
    .remedy = "Look into the longest launch with Nsight Compute (ncu --set full).",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return !trace.kernels().empty(); },
    .check = findTop,
};

} // namespace warpline
