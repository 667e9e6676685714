#include "core/steps/gpu_steps.h"

#include "core/base/enum_key.h"
#include "core/base/median.h"
#include "core/derive/kept_answers.h"
#include "core/steps/launched_work.h"
#include "core/steps/step_judge.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpline {

namespace {

/// The uncut ranges of the steps of `host`: calls of a cut-off part launch the step's work, too.
std::vector<TimeRange> wholeRanges(const Trace& trace, const StepSeries& host)
{
    const CutSteps cut = cutSteps(trace, host);
    std::vector<TimeRange> whole = host.ranges;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (cut.holds(i))
            whole[i] = trace.range(host.events[i]);
    }
    return whole;
}

Ns medianOfSteady(const StepSeries& steps)
{
    std::vector<Ns> lengths;
    for (std::size_t i = steps.firstSteady; i < steps.size(); ++i)
        lengths.push_back(steps.ranges[i].duration());
    return middleOf(std::move(lengths));
}

GpuSteps stepsOf(const Trace& trace, TimeRange window, const StepHost& from, std::int32_t device,
    const std::vector<Launched>& launched)
{
    const StepSeries& host = from.series;
    GpuSteps steps;
    steps.host = host;
    steps.foundBy = from.foundBy;
    steps.process = processOf(host.thread);
    steps.device = device;
    steps.gpu.thread = host.thread;
    steps.gpu.pattern = host.pattern;
    steps.gpu.glob = host.glob;
    bool first = true;
    std::size_t warmUps = 0;
    // The first step of a cut report lacks its first launches.
    const bool lacksLaunches = partOf(trace.info) && cutSteps(trace, host).first;
    for (std::size_t i = lacksLaunches ? 1 : 0; i < launched.size(); ++i) {
        if (!launched[i].any())
            continue;
        // Work of a later step on another stream may overtake: steps never run backwards.
        const Ns start = first ? launched[i].firstStart : std::max(launched[i].firstStart, steps.last.start);
        if (!first && window.start <= steps.last.start && start <= window.end) {
            steps.gpu.events.push_back(host.events[steps.lastIndex]);
            steps.gpu.ranges.push_back({steps.last.start, start});
            steps.indexes.push_back(steps.lastIndex);
            warmUps += steps.lastIndex < host.firstSteady ? 1 : 0;
        }
        steps.last = {start, std::max(start, launched[i].lastEnd)};
        steps.lastIndex = i;
        first = false;
    }
    steps.last = steps.last.clippedTo(window);
    if (steps.last.empty())
        steps.last = {};
    judgeSteps(trace, steps.gpu, warmUps);
    steps.median = medianOfSteady(steps.gpu);
    return steps;
}

} // namespace

std::string_view keyOf(StepSource source)
{
    return keyIn<StepSource::KernelSequence>({"nvtx", "graph_launches", "kernel_sequence"}, source);
}

TimeRange GpuSteps::rangeOf(std::size_t index) const
{
    const auto found = std::ranges::lower_bound(indexes, index);
    if (found != indexes.end() && *found == index)
        return gpu.ranges[static_cast<std::size_t>(found - indexes.begin())];
    return index == lastIndex ? last : TimeRange{};
}

namespace {

/// gpuStepsOf() without the steps of the GPU that do not lie in `window`.
std::vector<GpuSteps> stepsWithin(
    const Trace& trace, TimeRange window, const std::vector<StepHost>& hosts, const std::stop_token& stop)
{
    std::set<GlobalId> withSteps;
    std::map<GlobalId, std::size_t> threads; // with steps, by process
    for (const StepHost& from : hosts) {
        withSteps.insert(from.series.thread);
        ++threads[processOf(from.series.thread)];
    }
    std::vector<GpuSteps> all;
    std::set<GlobalId> seen; // processes
    for (const StepHost& from : hosts) {
        const StepSeries& host = from.series;
        if (host.empty())
            continue;
        const GlobalId process = processOf(host.thread);
        const bool takesTheRest = seen.insert(process).second;
        LaunchedByDevice devices;
        const std::vector<TimeRange> whole = wholeRanges(trace, host);
        for (const Track& track : trace.apiCalls().tracks) {
            if (track.owner == host.thread
                || (takesTheRest && processOf(track.owner) == process && !withSteps.contains(track.owner)))
                addLaunched(trace, track, whole, devices, stop);
        }
        for (const auto& [device, launched] : devices) {
            all.push_back(stepsOf(trace, window, from, device, launched));
            all.back().isAlone = threads[process] == 1;
        }
    }
    return all;
}

} // namespace

std::vector<GpuSteps> gpuStepsOf(
    const Trace& trace, const std::vector<StepHost>& hosts, const std::stop_token& stop)
{
    return stepsWithin(trace, allTime, hosts, stop);
}

namespace {

std::vector<GpuSteps> searchGpuSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    // The thread that findSteps() chooses for its process comes first: others work for it.
    const std::map<std::uint32_t, StepSeries> main = findSteps(trace, window, glob, stop);
    std::vector<StepHost> hosts;
    std::set<GlobalId> known;
    for (StepSeries& series : findStepsOfThreads(trace, window, glob, stop)) {
        known.insert(processOf(series.thread));
        hosts.push_back({std::move(series), StepSource::Nvtx});
    }
    std::ranges::stable_sort(hosts, {}, [&](const StepHost& host) {
        const GlobalId thread = host.series.thread;
        const auto found = main.find(pidOf(thread));
        return std::tuple(processOf(thread), found == main.end() || found->second.thread != thread, thread);
    });
    if (glob.empty()) {
        // One or two ranges may contain many steps that only GPU work shows: a request with its tokens.
        // Ranges with names of steps are steps.
        constexpr std::size_t few = 3;
        for (const StepHost& host : hosts) {
            if (host.series.size() < few && stepRankOf(host.series.pattern) != StepRank::Step)
                known.erase(processOf(host.series.thread));
        }
        for (StepHost& guess : guessSteps(trace, window, known, stop)) {
            const GlobalId process = processOf(guess.series.thread);
            std::erase_if(
                hosts, [&](const StepHost& host) { return processOf(host.series.thread) == process; });
            hosts.push_back(std::move(guess));
        }
    }
    return stepsWithin(trace, window, hosts, stop);
}

} // namespace

std::shared_ptr<const std::vector<GpuSteps>> keptGpuSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    static KeptAnswers<Links, std::vector<GpuSteps>, StepsAsked> kept;
    const auto search = [&] { return searchGpuSteps(trace, window, glob, stop); };
    return trace.links ? kept.of(trace.links, search, {&trace, window, glob})
                       : std::make_shared<const std::vector<GpuSteps>>(search());
}

std::vector<GpuSteps> findGpuSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop)
{
    return *keptGpuSteps(trace, window, glob, stop);
}

} // namespace warpline
