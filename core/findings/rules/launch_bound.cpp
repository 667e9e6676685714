// The staircase: at each launch the GPU is already done with all earlier work, so it starts when the launch
// returns and is done before the next launch: the host sets the pace. With a healthy queue the host is
// several launches ahead, and hardly any launch finds the queue empty.

#include "core/analysis/idle_gaps.h"
#include "core/analysis/time_by_name.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/waits.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace warpline::launch_bound {

namespace {

constexpr std::string_view id = "launch_bound";
constexpr Threshold minLaunches{"min_launches", "Minimum number of launches", "", 50};
constexpr Threshold minEmpty{"min_empty", "Minimum share of launches that find the queue empty", "%", 25};
constexpr Threshold minIdle{"min_idle", "Minimum share of the time that the GPU waits for launches", "%", 5};
constexpr std::array thresholds{minLaunches, minEmpty, minIdle};
constexpr std::array<std::string_view, 5> absorbed{
    "gpu_idle_cause", "gpu_gaps", "gpu_time_util", "kernel_storm", "short_kernels"};

constexpr std::size_t maxSampledGaps = 1U
    << 14U; ///< gaps that are checked for the program's ranges: a sample is enough

struct Pace {
    Ns idle = 0;
    Ns inCalls = 0; ///< of it in launch calls, and until the GPU begins their work
    std::vector<TimeRange> gaps;
    TimeByName ranges; ///< of a sample of the gaps, by the program's own NVTX range
    Ns sampled = 0; ///< of the gaps of that sample
};

/// Launches of the measured time, and how many of them found all earlier work done.
struct Launches {
    std::uint64_t all = 0;
    std::uint64_t empty = 0;
    double share() const
    {
        return static_cast<double>(empty) / static_cast<double>(std::max<std::uint64_t>(1, all));
    }
};

Launches launchesOf(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    const EventTable& calls = context.trace.apiCalls();
    const TimeRange measured = facts.measuredRange();
    Launches launches;
    EventIndex previous = noIndex;
    Ns done = std::numeric_limits<Ns>::max(); // nothing ran yet
    for (const std::size_t i : stoppable(std::size_t{0}, gpu.work.size(), context.stop)) {
        const EventIndex call = facts.callOf(gpu.work[i]);
        if (call != noIndex && call != previous && measured.contains(calls.start[call])) {
            ++launches.all;
            launches.empty += calls.start[call] >= done ? 1 : 0;
        }
        previous = call;
        const Ns end = context.trace.range(Links::unpack(gpu.work[i])).end;
        done = i == 0 ? end : std::max(done, end);
    }
    return launches;
}

/// Collects the gaps in which the host launched, or prepared the next launch, without the time in which the
/// GPU works for other processes.
Pace measure(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    const EventTable& calls = context.trace.apiCalls();
    Pace pace;
    const TimeRange measured = facts.measuredRange();
    const auto gaps = gpu.gaps();
    pace.gaps.reserve(gaps.size());
    const PackedIntervals others = timeOfOthers(context.trace, facts, gpu, measured);
    const std::size_t stride = gaps.size() / maxSampledGaps + 1;
    for (const std::size_t i : stoppable(std::size_t{0}, std::size_t{gaps.size()}, context.stop)) {
        const IdleGap gap = gaps[i];
        const EventIndex call = facts.callOf(gap.next);
        if (gap.range.duration() >= launchPace || call == noIndex || calls.end(call) < gap.range.start
            || gap.range.start < measured.start || gap.range.end > measured.end)
            continue;
        const double idle = others.empty() ? 1 : 1 - shareOf(others.timeIn(gap.range), gap.range.duration());
        if (idle <= 0)
            continue;
        Ns waiting = 0;
        Ns inCalls = 0;
        if (gap.range.duration() >= shortestCause) {
            const GapCause cause = causeOf(context.trace, facts, gap);
            if (!isLaunchPace(cause.main, gap.range.duration()))
                continue;
            for (std::size_t part = 0; part < idleCauses; ++part)
                waiting += isLaunchPace(static_cast<IdleCause>(part), gap.range.duration())
                    ? cause.parts[part]
                    : 0;
            inCalls = cause.parts[indexOf(IdleCause::Launch)] + cause.parts[indexOf(IdleCause::Queued)];
        } else {
            waiting = gap.range.duration();
            inCalls = gap.range.end - std::max(gap.range.start, calls.start[call]);
        }
        pace.idle += static_cast<Ns>(static_cast<double>(waiting) * idle);
        pace.inCalls += static_cast<Ns>(static_cast<double>(inCalls) * idle);
        pace.gaps.push_back(gap.range);
        if (i % stride == 0) {
            // Threads without ranges, such as autograd's, work for the thread of the steps, which waits.
            TimeByName ranges;
            addOwnRanges(context.trace, facts.threadOf(call), {gap.range}, ranges, context.stop);
            if (const StepSeries& steps = facts.steps(gpu.process); ranges.empty() && !steps.empty())
                addOwnRanges(context.trace, steps.thread, {gap.range}, ranges, context.stop);
            for (const auto& [name, time] : ranges)
                pace.ranges[name] += time;
            pace.sampled += gap.range.duration();
        }
    }
    if (!others.empty())
        pace.gaps = difference(pace.gaps, others);
    return pace;
}

/// A sentence naming the range that contains most of it; empty: there are no own ranges, or only the step.
Message mostlyIn(const RuleContext& context, const GpuFacts& gpu, const Pace& pace)
{
    const std::string& step = context.facts.steps(gpu.process).pattern;
    std::map<std::string, Ns> patterns;
    for (const auto& [name, time] : pace.ranges)
        patterns[withoutNumbers(context.trace.text(name))] += time;
    patterns.erase(step);
    const auto most = std::ranges::max_element(patterns, {}, [](const auto& entry) { return entry.second; });
    if (most == patterns.end() || pace.sampled <= 0)
        return {};
    return {"launch_bound.mostly_in", "Most of it is in {range} ({share}).",
        {{"range", Name{toUtf8(most->first)}}, {"share", Share{shareOf(most->second, pace.sampled)}}}};
}

/// Sentences on calls without GPU work that take much of the launching threads' time; else empty. They delay
/// the next launches even if the GPU does not idle during them. Waits have rules of their own.
Message otherCallsText(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    const CallKinds& kinds = facts.callKinds();
    const EventTable& calls = context.trace.apiCalls();
    Ns launching = 0;
    TimeByName others;
    for (const GlobalId thread : context.facts.callersOf(gpu.process)) {
        Ns own = 0;
        TimeByName beside;
        forEachOuterCall(context, thread, facts.measuredRange(), [&](EventIndex call) {
            const CallKind kind = kinds[call];
            if (kind == CallKind::Launch)
                own += calls.duration[call];
            else if (kind != CallKind::Copy && kind != CallKind::Set && !waits(kind))
                beside[calls.name[call]] += calls.duration[call];
        });
        if (own == 0)
            continue; // its calls delay no launch
        launching += own;
        for (const auto& [name, time] : beside)
            others[name] += time;
    }
    std::map<std::string_view, Ns> byCall; // the versions of a call together
    for (const auto& [name, time] : others)
        byCall[bareCallName(context.trace.text(name))] += time;
    std::vector<std::pair<std::string_view, Ns>> longest(byCall.begin(), byCall.end());
    std::erase_if(longest,
        [&](const auto& call) { return !context.reachesShare(id, minIdle, call.second, facts.measured()); });
    std::ranges::sort(
        longest, std::greater{}, [](const auto& call) { return std::pair(call.second, call.first); });
    if (longest.empty())
        return {};
    // By step where the measured time is steps.
    const StepSeries& steps = facts.steps(gpu.process);
    const auto rounds = static_cast<Ns>(steps.empty() ? 1 : std::max<std::size_t>(1, steps.steady()));
    std::vector<Message> list;
    for (const auto& [name, time] : longest)
        list.push_back(Message("launch_bound.other_call", "{call} {time}",
            {{"call", Name{toUtf8(name)}}, {"time", Duration{time / rounds}}}));
    return Message("launch_bound.other_calls",
               "{steps, select, yes {Per step, the} other {The}} launching thread spends {launching} in launch calls, and in other calls: {calls}.",
               {{"steps", yesOrNo(!steps.empty())}, {"launching", Duration{launching / rounds}},
                   {"calls", std::move(list)}})
        + Message("launch_bound.other_calls_once",
            "They delay the next launch: make calls that need not be repeated once, before the loop.");
}

/// For a host that polls more often than it launches, and does nothing else in that time; else empty.
Message pollsText(const RuleContext& context, const GpuFacts& gpu, const Launches& launches)
{
    std::uint64_t polls = 0;
    OncePerName isPoll(
        [&](StringId name) { return bareCallName(context.trace.text(name)).ends_with("Query"); });
    for (const GlobalId thread : context.facts.callersOf(gpu.process)) {
        forEachOuterCall(context, thread, context.facts.measuredRange(),
            [&](EventIndex call) { polls += isPoll(context.trace.apiCalls().name[call]) ? 1 : 0; });
    }
    return polls <= launches.all
        ? Message()
        : Message("launch_bound.polls",
              "The host polls: {polls} calls ask whether work is done, and nothing is launched in that time.",
              {{"polls", Count{polls}}})
            + Message("launch_bound.no_polls",
                "Let streams wait for events instead (cudaStreamWaitEvent), or poll once a step.");
}

/// JAX's remedies, where the ranges show that XLA runs modules; else empty.
Message adviceForJax(const RuleContext& context)
{
    const auto isModule = [&](StringId name) { return context.trace.text(name).starts_with("XlaModule:"); };
    return anyName(context.trace.nvtx(), context.stop, isModule)
        ? Message("launch_bound.jax",
            "JAX: operations outside of jax.jit run one by one. Put the whole step into jax.jit, so that XLA fuses "
            "its operations.")
        : Message();
}

void findStaircase(const RuleContext& context, const GpuFacts& gpu, std::vector<Finding>& findings)
{
    TraceAnalysis& facts = context.facts;
    const Launches launches = launchesOf(context, gpu);
    if (!context.reaches(id, minLaunches, launches.all)
        || launches.share() * 100 < context.threshold(id, minEmpty))
        return;
    Pace pace = measure(context, gpu);
    if (!context.reachesShare(id, minIdle, pace.idle, facts.measured()))
        return;
    Finding finding = findingOn(context, gpu.process, gpu.device, pace.idle);
    finding.title = Message("launch_bound.title", "Host-bound: {gpu} waits {time} for kernel launches",
        {{"gpu", Name{nameOf(context.trace, gpu)}}, {"time", Duration{pace.idle}}});
    finding.message = Message("launch_bound.empty",
        "{empty} of {all} calls that give the GPU work ({share}) begin when it is already idle.",
        {{"empty", Count{launches.empty}}, {"all", Count{launches.all}}, {"share", Share{launches.share()}}});
    finding.message += Message("launch_bound.gaps",
        "It waits in {gaps, plural, one {# gap} other {# gaps}}, {each} each on average, and works for {busy}.",
        {{"gaps", Count{pace.gaps.size()}},
            {"each", Duration{pace.gaps.empty() ? 0 : pace.idle / static_cast<Ns>(pace.gaps.size())}},
            {"busy", Duration{totalTime(gpu.busy, facts.measuredRange())}}});
    finding.message += Message("launch_bound.parts",
        "For {calls} of the {idle} idle, a launch is on its way to the GPU, from its call until the work begins; for {between}, the host has not begun the next launch.",
        {{"calls", Duration{pace.inCalls}}, {"idle", Duration{pace.idle}},
            {"between", Duration{pace.idle - pace.inCalls}}});
    finding.message += otherCallsText(context, gpu);
    finding.message += mostlyIn(context, gpu, pace);
    finding.message += pollsText(context, gpu, launches);
    finding.claims = std::move(pace.gaps);
    setClaimedStretches(finding, "launch_bound.gap", "waits {time} for the next launch");
    finding.where = gpu.span();
    if (const Message jax = adviceForJax(context); !jax.empty())
        finding.remedy = findRule(id)->remedyText() + jax;
    finding.cure.edits.push_back(editOfAll(CureKind::LaunchGraph));
    findings.push_back(std::move(finding));
}

} // namespace

extern constinit const Rule launchBound{
    .id = id,
    .title = "Host-bound: the GPU waits for kernel launches",
    .why
    = "Preparing and launching a kernel takes the host 5 to 50 µs, most of it in the layers above CUDA. Where "
      "kernels are shorter than that, the queue is always empty and the GPU's speed no longer matters.",
    .remedy
    = "Use CUDA Graphs, fuse adjacent kernels, or give each kernel more work. Keep synchronization out of the loop "
      "so that the host can run ahead.",
    .caveat
    = "The profiler slows launches down: record without stacks, and compare the step without the profiler.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Kernel, EventKind::ApiCall>,
    .checkGpu = findStaircase,
    .absorbs = absorbed,
};

} // namespace warpline::launch_bound
