// A program without GPU work that uses several threads at times, and one most of the time: with any number of
// cores it takes at least the serial time (Amdahl).

#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/share.h"
#include "core/findings/evidence.h"
#include "core/findings/host_story.h"
#include "core/store/place_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace warpline::serial_phases {

namespace {

constexpr std::string_view id = "serial_phases";
constexpr Threshold minAlone{
    "min_alone", "Minimum share of the time in which one thread runs alone", "%", 40};
constexpr Threshold minTogether{"min_together", "Minimum share in which several run at once", "%", 5};
constexpr Threshold minThreads{"min_threads", "Minimum number of threads that take part", "", 3};
constexpr std::array thresholds{minAlone, minTogether, minThreads};
constexpr double takesPart = 0.02; ///< of the window: a thread that runs for less is a helper

/// When the threads of one process were on a CPU.
struct Team {
    std::map<GlobalId, Intervals> alone; ///< the time of a thread in which no other one runs
    Ns together = 0; ///< in which two and more run
    Ns work = 0; ///< the sum of their work in that time
    std::size_t threads = 0; ///< those that take part

    double atOnce() const
    {
        return together > 0 ? static_cast<double>(work) / static_cast<double>(together) : 0;
    }
};

struct Change {
    Ns time = 0;
    bool starts = false;
    GlobalId thread = 0;
};

/// When threads get on a CPU and off it, by process, in order of time.
std::map<GlobalId, std::vector<Change>> changesOf(const RuleContext& context)
{
    const EventTable& states = context.trace.table(EventKind::ThreadState);
    std::map<GlobalId, std::vector<Change>> changes;
    for (const Track& track : states.tracks) {
        if (track.device >= 0 || track.laneCount == 0)
            continue;
        const auto [first, last] = states.touching(states.lanes[track.firstLane], context.window);
        for (const EventIndex i : stoppable(first, last, context.stop)) {
            const TimeRange range = states.range(i).clippedTo(context.window);
            if (range.empty() || context.trace.text(states.name[i]) != "Running")
                continue;
            std::vector<Change>& of = changes[processOf(track.owner)];
            of.push_back({range.start, true, track.owner});
            of.push_back({range.end, false, track.owner});
        }
    }
    for (auto& [process, of] : changes)
        std::ranges::sort(
            of, {}, [](const Change& each) { return std::tuple(each.time, each.starts, each.thread); });
    return changes;
}

Team teamOf(const RuleContext& context, const std::vector<Change>& changes)
{
    Team team;
    std::map<GlobalId, std::vector<TimeRange>> alone;
    std::map<GlobalId, Ns> times;
    std::map<GlobalId, Ns> running; // since when
    Ns since = context.window.start;
    for (const Change& change : stoppableItems(changes, context.stop)) {
        const TimeRange stretch{since, change.time};
        if (running.size() == 1 && !stretch.empty())
            alone[running.begin()->first].push_back(stretch);
        if (running.size() > 1) {
            team.together += stretch.duration();
            team.work += static_cast<Ns>(running.size()) * stretch.duration();
        }
        if (change.starts) {
            running.emplace(change.thread, change.time);
        } else if (const auto ends = running.find(change.thread); ends != running.end()) {
            times[change.thread] += change.time - ends->second;
            running.erase(ends);
        }
        since = change.time;
    }
    for (auto& [thread, ranges] : alone)
        team.alone[thread] = unionOf(std::move(ranges), context.window, context.stop);
    team.threads = static_cast<std::size_t>(std::ranges::count_if(times,
        [&](const auto& each) { return shareOf(each.second, context.window.duration()) >= takesPart; }));
    return team;
}

bool isPartlySerial(const RuleContext& context, const Team& team, Ns alone)
{
    const auto percent = [&](Ns time) { return 100 * shareOf(time, context.window.duration()); };
    return team.together > 0 && context.reaches(id, minThreads, team.threads)
        && percent(team.together) >= context.threshold(id, minTogether)
        && percent(alone) >= context.threshold(id, minAlone);
}

Finding describe(const RuleContext& context, GlobalId process, const Team& team, Ns alone)
{
    const auto busiest
        = std::ranges::max_element(team.alone, {}, [](const auto& each) { return totalTime(each.second); });
    const Ns window = context.window.duration();
    Finding finding = findingOn(
        context, process, -1, alone - static_cast<Ns>(static_cast<double>(alone) / team.atOnce()));
    finding.title = Message("serial_phases.title",
        "One thread works alone for {time} ({share} of the time) while the others wait",
        {{"time", Duration{alone}}, {"share", Share{shareOf(alone, window)}}});
    finding.message = Message("serial_phases.team",
        "Of {threads, plural, one {# thread} other {# threads}}, several run at once for {together} ({share}), {average} on average, and one runs alone for {alone}.",
        {{"threads", Count{team.threads}}, {"together", Duration{team.together}},
            {"share", Share{shareOf(team.together, window)}}, {"average", Number{team.atOnce(), 1}},
            {"alone", Duration{alone}}});
    finding.message += Message("serial_phases.shared", "Shared evenly, it would take {time}.",
        {{"time", Duration{alone - finding.saving}}});
    finding.message += Message("serial_phases.most", "Most of it is {thread}: {time}.",
        {{"thread", threadLabel(context.trace, busiest->first)},
            {"time", Duration{totalTime(busiest->second)}}});
    finding.message += hostStory(context.trace, busiest->first, busiest->second, context.stop).text;
    std::vector<TimeRange> stretches;
    for (const auto& [thread, ranges] : team.alone)
        stretches.insert(stretches.end(), ranges.begin(), ranges.end());
    finding.claims = unionOf(stretches, context.window, context.stop);
    setClaimedStretches(finding, "serial_phases.alone", "one thread alone for {time}");
    return finding;
}

std::vector<Finding> findSerial(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [process, changes] : changesOf(context)) {
        const Team team = teamOf(context, changes);
        Ns alone = 0;
        for (const auto& [thread, ranges] : team.alone)
            alone += totalTime(ranges);
        if (isPartlySerial(context, team, alone))
            findings.push_back(describe(context, process, team, alone));
    }
    return findings;
}

} // namespace

extern constinit const Rule serialPhases{
    .id = id,
    .title = "One thread works while the others wait",
    .why
    = "Serial work takes the same time on any number of cores. A program that is serial for two thirds of its time can become at most 1.5 times as fast, however many threads share the rest.",
    .remedy
    = "Find what that thread does: select its samples in the flame graph, or name its phases with NVTX. Parallelize loops (#pragma omp parallel for, std::execution::par, a thread pool). Read input with several threads, in large pieces or in binary, or let one thread read ahead while the others compute. Allocate and first touch memory in the threads that use it.",
    .caveat = "The work may have to be sequential, or the other threads may wait for something else.",
    .thresholds = thresholds,
    .applies =
        [](const Trace& trace, const std::stop_token&) {
            return lifeOfGpus(trace).empty() && !trace.table(EventKind::ThreadState).empty();
        },
    .check = findSerial,
};

} // namespace warpline::serial_phases
