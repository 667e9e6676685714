// Where the time of a busy GPU goes: its longest kernels, and the command that looks into the first of them.
// What happens inside a kernel is not in such a report.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/run_facts.h"
#include "core/kernels/kernel_names.h"
#include "core/query/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::string_view id = "top_kernels";
constexpr Threshold minBusy{"min_busy", "Minimum share of the measured time in kernels", "%", 50};
constexpr Threshold minShare{"min_share", "... or minimum share of one kernel in the kernels' time", "%", 50};
constexpr Threshold minTime{
    "min_time", "Minimum share of the measured time that it takes, where there are steps", "%", 3};
constexpr std::array thresholds{minBusy, minShare, minTime};
constexpr std::size_t named = 3;
constexpr std::uint64_t eventsPerLook = 1U << 16U; ///< at the stop token
constexpr std::size_t communicates = static_cast<std::size_t>(-1);

/// What is shown under one name: all instances of a template.
struct Total {
    std::string function;
    Ns time = 0;
    Ns measured = 0; ///< of it in the measured time
    std::uint64_t launches = 0;
    EventRef longest = {};
};

/// The function's name as ncu's --kernel-name compares it.
std::string functionOf(const Trace& trace, EventIndex kernel)
{
    const std::string_view name = trace.text(trace.kernels().launch(kernel).shortName);
    return name.empty() ? shortFunctionName(trace.name({EventKind::Kernel, kernel})) : std::string(name);
}

/// Sums kernels by the name of their function. Kernels that communicate wait for others: their time is no
/// work.
class Totals {
public:
    explicit Totals(const RuleContext& context)
        : m_trace(context.trace),
          m_measured(factsOf(context).measuredRange())
    {
    }

    void add(EventIndex kernel)
    {
        const std::size_t place = placeOf(kernel);
        if (place == communicates)
            return;
        const KernelTable& kernels = m_trace.kernels();
        Total& total = m_totals[place];
        const Ns time = kernels.duration[kernel];
        if (!total.longest.valid() || time > kernels.duration[total.longest.index])
            total.longest = {EventKind::Kernel, kernel};
        ++total.launches;
        total.time += time;
        if (const TimeRange inside = kernels.range(kernel).clippedTo(m_measured); !inside.empty())
            total.measured += inside.duration();
    }

    std::vector<Total> ranked() &&
    {
        std::ranges::stable_sort(m_totals, std::greater{}, &Total::time);
        return std::move(m_totals);
    }

private:
    /// Names are few: each is looked at once.
    std::size_t placeOf(EventIndex kernel)
    {
        const KernelTable& kernels = m_trace.kernels();
        const std::uint64_t looks
            = std::uint64_t{raw(kernels.name[kernel])} << 32U | kernels.attribute[kernel];
        const auto [known, added] = m_places.try_emplace(looks, communicates);
        if (added && !isCommunication(m_trace.text(kernels.name[kernel]))) {
            const std::string function = functionOf(m_trace, kernel);
            const auto [place, fresh] = m_byFunction.try_emplace(function, m_totals.size());
            if (fresh)
                m_totals.push_back({.function = function});
            known->second = place->second;
        }
        return known->second;
    }

    const Trace& m_trace;
    TimeRange m_measured;
    std::unordered_map<std::uint64_t, std::size_t> m_places; ///< by name and launch
    std::map<std::string, std::size_t> m_byFunction;
    std::vector<Total> m_totals;
};

std::vector<Total> totalsOf(const RuleContext& context, const GpuFacts& gpu)
{
    Totals totals(context);
    std::uint64_t seen = 0;
    for (const std::uint32_t packed : gpu.work) {
        if (++seen % eventsPerLook == 0 && context.stop.stop_requested())
            return {};
        const EventRef event = Links::unpack(packed);
        if (event.kind == EventKind::Kernel)
            totals.add(event.index);
    }
    return std::move(totals).ranked();
}

/// How many kernels of the same function the process launches before `kernel`, on any of its GPUs and from
/// the start of the report: what ncu's --launch-skip counts.
std::uint64_t launchesBefore(const RuleContext& context, EventIndex kernel)
{
    const Trace& trace = context.trace;
    const KernelTable& kernels = trace.kernels();
    RunFacts& facts = factsOf(context);
    const auto launched = [&](EventIndex i) {
        const EventIndex call = facts.callOf(EventRef{EventKind::Kernel, i});
        return std::pair(call != noIndex ? trace.apiCalls().start[call] : kernels.start[i], kernels.start[i]);
    };
    const std::string function = functionOf(trace, kernel);
    const auto limit = launched(kernel);
    const GlobalId process = processOf(kernels.trackOf(kernel).owner);
    std::unordered_map<std::uint64_t, bool> same;
    std::uint64_t before = 0;
    for (const Track& track : kernels.tracks) {
        if (processOf(track.owner) != process)
            continue;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (i % eventsPerLook == 0 && context.stop.stop_requested())
                return before;
            const auto [known, added]
                = same.try_emplace(std::uint64_t{raw(kernels.name[i])} << 32U | kernels.attribute[i], false);
            if (added)
                known->second = functionOf(trace, i) == function;
            before += known->second && launched(i) < limit ? 1 : 0;
        }
    }
    return before;
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

std::string commandFor(const RuleContext& context, const Total& total)
{
    const std::string& program = context.trace.info.commandLine;
    return fmt::format("ncu --set full --kernel-name {} --launch-skip {} --launch-count 1 -o kernel {}",
        total.function, launchesBefore(context, total.longest.index),
        program.empty() ? std::string("./program") : program);
}

/// Whether the longest kernels are where the time of `gpu` goes. In the steps of a program that waits for
/// something else they are not.
bool matters(const RuleContext& context, const GpuFacts& gpu, const Total& first, Ns all)
{
    RunFacts& facts = factsOf(context);
    const auto isOver = [&](Ns part, Ns whole, const Threshold& threshold) {
        return static_cast<double>(part) * 100
            >= context.threshold(id, threshold) * static_cast<double>(whole);
    };
    if (!facts.steps(gpu.process).empty() && !isOver(first.measured, facts.measured(), minTime))
        return false;
    return isOver(totalTime(clipped(gpu.compute, facts.measuredRange())), facts.measured(), minBusy)
        || isOver(first.time, all, minShare);
}

std::vector<Finding> findTop(const RuleContext& context)
{
    const Trace& trace = context.trace;
    std::vector<Finding> findings;
    for (const GpuFacts& gpu : factsOf(context).gpus()) {
        const std::vector<Total> ranked = totalsOf(context, gpu);
        Ns all = 0;
        for (const Total& total : ranked)
            all += total.time;
        if (ranked.empty() || all <= 0 || !matters(context, gpu, ranked.front(), all))
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
            ranked.front().function, shareOf(ranked.front()));
        finding.message = "Where the GPU's time goes:";
        std::vector<EventRef> longest;
        for (std::size_t i = 0; i < std::min(named, ranked.size()); ++i) {
            const Total& total = ranked[i];
            longest.push_back(total.longest);
            finding.message += fmt::format("{} {} {} ({}, {}; {})", i > 0 ? ";" : "", total.function,
                shareOf(total), formatDuration(total.time), counted(total.launches, "launch", "launches"),
                shapeOf(trace, total.longest));
        }
        finding.message
            += ". Such a report cannot see inside a kernel: whether it is good, Nsight Compute tells.";
        finding.remedy
            = fmt::format("Look into the longest launch of it: {}", commandFor(context, ranked.front()));
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
