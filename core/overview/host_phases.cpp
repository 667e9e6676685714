// Phases of the host in the parts of a run in which no GPU works, with the names that the report records.

#include "core/overview/host_phases.h"

#include "core/base/series.h"
#include "core/base/share.h"
#include "core/findings/host_calls.h"
#include "core/findings/idle_places.h"
#include "core/findings/silent_start.h"
#include "core/overview/host_names.h"
#include "core/overview/idle_reasons.h"
#include "core/steps/steps.h"
#include "core/store/gpu_names.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

constexpr double minPhaseShare = 0.02; ///< of the time of the parts
constexpr std::size_t maxPhases = 6;

/// The phases that are long enough to report, in order of time; shares are of `all`.
std::vector<OverviewPhase> worthTelling(std::vector<OverviewPhase> phases, Ns all)
{
    std::erase_if(phases, [&](const OverviewPhase& each) { return shareOf(each.time, all) < minPhaseShare; });
    std::ranges::stable_sort(phases, std::greater{}, &OverviewPhase::time);
    phases.resize(std::min(phases.size(), maxPhases));
    std::ranges::stable_sort(phases, {}, [](const OverviewPhase& each) { return each.where.start; });
    return phases;
}

/// The phases of `threads` in `parts`, averaged over the threads.
std::vector<OverviewPhase> meanOf(const Trace& trace, std::span<const GlobalId> threads,
    const Intervals& parts, const std::stop_token& stop)
{
    std::map<HostName, OverviewPhase> sums;
    std::map<HostName, std::string> shown;
    for (const GlobalId thread : threads) {
        NamedTime time(parts, stop);
        nameByHost(trace, thread, time, stop);
        for (const NamedTime::Named& named : time.named(trace)) {
            OverviewPhase& sum = sums[named.name];
            shown[named.name] = commonName(shown[named.name], named.shown);
            sum.where = sum.where.empty() ? named.where : sum.where.unitedWith(named.where);
            sum.time += named.time;
            sum.stretches += named.stretches;
        }
    }
    std::vector<OverviewPhase> phases;
    for (auto& [key, sum] : sums) {
        const HostName name{key.kind, shown[key]};
        sum.name = textOf(name);
        sum.label = labelOf(name);
        sum.time /= static_cast<Ns>(threads.size());
        phases.push_back(std::move(sum));
    }
    return phases;
}

/// The CUDA calls before the first GPU work.
std::vector<OverviewPhase> startPhases(const Trace& trace, const CallKinds& kinds,
    std::span<const GlobalId> threads, const Intervals& parts, const std::stop_token& stop)
{
    std::vector<GlobalId> all(threads.begin(), threads.end());
    for (const GlobalId thread : callingThreads(trace)) {
        if (std::ranges::find(threads, thread) == threads.end())
            all.push_back(thread);
    }
    NamedTime time(parts, stop);
    nameByCalls(trace, kinds, all, time, stop);
    NamedTime::Claims silent;
    for (const TimeRange& start : silentStarts(trace, trace.session, stop))
        silent.push_back({start, time.number({HostNameKind::MakesContext})});
    time.give(silent);
    std::vector<OverviewPhase> phases;
    for (const NamedTime::Named& named : time.named(trace))
        phases.push_back({textOf(named.name), named.time, named.stretches, named.where, labelOf(named.name)});
    return worthTelling(std::move(phases), totalTime(parts));
}

/// What `threads`, one per process, do in `parts`, by nameByHost(); averaged over several threads. The phases
/// are disjoint, at most as long as `parts` together, in order of their first moment; very short ones are
/// left out.
std::vector<OverviewPhase> hostPhases(const Trace& trace, std::span<const GlobalId> threads,
    const Intervals& parts, const std::stop_token& stop)
{
    if (threads.empty() || threads.front() == 0 || parts.empty())
        return {};
    return worthTelling(meanOf(trace, threads, parts, stop), totalTime(parts));
}

Message processesText(std::size_t count)
{
    return {"overview.processes", "{count, plural, one {# process} other {# processes}}",
        {{"count", Count{count}}}};
}

} // namespace

Message usersOf(const Trace& trace, const GpuBudgets& budgets)
{
    std::set<std::int32_t> machines;
    for (const GpuBudget& gpu : budgets.gpus())
        machines.insert(gpuNumber(trace, gpu.process, gpu.device));
    return machines.size() < budgets.gpus().size()
        ? processesText(budgets.gpus().size()) // that share GPUs
        : Message("overview.gpus", "{count, plural, one {# GPU} other {# GPUs}}",
            {{"count", Count{budgets.gpus().size()}}});
}

namespace {

/// Why GPUs idle in `idle`, a part of their `life`: phases, the longest first, at most as long as `idle`
/// together; averaged over GPUs. Time that no work follows and very short phases are left out.
std::vector<OverviewPhase> idlePhases(
    const GpuBudgets& budgets, TimeRange life, const OverviewPart& idle, const std::stop_token& stop)
{
    const std::vector<GpuBudget>& gpus = budgets.gpus();
    // Each of several GPUs idles longer than all at once: its other idle time is not part of `idle`.
    if (gpus.empty() || (gpus.size() > 1 && idle.alone.empty()))
        return {};
    constexpr std::size_t mostLooks = 200'000'000; // half a minute: a report may name any number of GPUs
    if (gpus.size() * idle.alone.size() > mostLooks)
        return {};
    const Budget mean = meanBudget(budgets, [&](const GpuBudget& gpu) {
        return idle.alone.empty() ? gpu.within(life) : gpu.within(std::span(idle.alone), stop);
    });
    std::vector<OverviewPhase> phases;
    Ns sum = 0;
    for (const IdleReason& reason : idleReasons(budgets.parts(), mean)) {
        sum += reason.time;
        if (shareOf(reason.time, idle.time) >= minPhaseShare && phases.size() < maxPhases)
            phases.push_back({reason.text, reason.time, 0, {}, reason.label});
    }
    // The whole life also has the profiler's time and page migrations: no reasons are better than a sum above
    // `idle`.
    return sum <= idle.time ? phases : std::vector<OverviewPhase>();
}

/// The phases of `part`, in which no GPU works in `life`.
void addIdlePhases(OverviewPart& part, TimeRange life, const Trace& trace, const GpuBudgets& budgets,
    std::span<const GlobalId> threads, const std::stop_token& stop)
{
    // A cut recording may lack the work before or after the gap.
    part.phases = budgets.gpus().empty() ? hostPhases(trace, threads, part.alone, stop)
                                         : idlePhases(budgets, life, part, stop);
    for (OverviewPhase& phase : part.phases)
        phase.name.set("communication", recordedCommunication(trace));
    part.meanOf = budgets.gpus().size() > 1 ? usersOf(trace, budgets) : Message();
}

} // namespace

void addPhases(RunOverview& overview, const Trace& trace, const GpuBudgets& budgets, const CallKinds& kinds,
    std::span<const GlobalId> threads, const std::stop_token& stop)
{
    for (OverviewPart& part : overview.parts) {
        switch (part.kind) {
        case OverviewKind::Idle:
            addIdlePhases(part, overview.life, trace, budgets, threads, stop);
            break;
        case OverviewKind::CudaStart:
            part.phases = startPhases(trace, kinds, threads, part.alone, stop);
            break;
        case OverviewKind::BeforeCuda:
        case OverviewKind::HostBefore:
        case OverviewKind::Exit:
        case OverviewKind::HostOnly:
            part.phases = hostPhases(trace, threads, part.alone, stop);
            part.meanOf = threads.size() > 1 ? processesText(threads.size()) : Message();
            break;
        default:
            break;
        }
    }
    for (OverviewPart& part : overview.measuredParts) {
        if (part.kind == OverviewKind::Idle)
            addIdlePhases(part, overview.measured, trace, budgets, threads, stop);
    }
}

Ns otherTime(const OverviewPart& part)
{
    Ns time = part.time;
    for (const OverviewPhase& phase : part.phases)
        time -= phase.time;
    return time;
}

Message phaseText(const OverviewPart& part, const OverviewPhase& phase)
{
    return part.meanOf.empty() ? phase.name
                               : Message("overview.mean_phase", "{phase} (mean of {users})",
                                   {{"phase", phase.name}, {"users", part.meanOf}});
}

Message phasesText(const OverviewPart& part, TimeRange window)
{
    if (part.phases.size() < 2)
        return {};
    constexpr double allAlong = 0.8; // of the window
    std::vector<Message> list;
    for (const OverviewPhase& phase : part.phases) {
        const bool isAll = shareOf(phase.where.duration(), window.duration()) >= allAlong;
        list.push_back(Message("overview.phase",
            "{phase} {time} ({when, select, all {all along} most {most between {start} and {end}} "
            "other {between {start} and {end}}})",
            {{"phase", phase.name}, {"time", Duration{phase.time}},
                {"when",
                    Name{isAll                    ? "all"
                            : phase.stretches > 1 ? "most"
                                                  : "once"}},
                {"start", Duration{phase.where.start}}, {"end", Duration{phase.where.end}}})); // as the ruler
    }
    return {"overview.phases", "Main thread, in order of time: {phases}.",
        {{"phases", seriesOf(std::move(list))}}};
}

GlobalId mainThread(const Trace& trace)
{
    std::map<GlobalId, std::uint64_t> events; // by thread
    std::map<GlobalId, std::uint64_t> ofProcess;
    for (const EventKind kind :
        {EventKind::Nvtx, EventKind::Library, EventKind::OsRuntime, EventKind::ApiCall, EventKind::Sample}) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (track.owner == 0 || track.device >= 0)
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                events[track.owner] += lane.count;
                ofProcess[processOf(track.owner)] += lane.count;
            }
        }
    }
    const auto most = [](const auto& counts) {
        return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    };
    const auto process = most(ofProcess);
    if (process == ofProcess.end())
        return 0;
    GlobalId busiest = 0;
    std::uint64_t count = 0;
    for (const auto& [thread, number] : events) {
        if (processOf(thread) != process->first)
            continue;
        if (tidOf(thread) == pidOf(thread))
            return thread;
        if (number > count) {
            count = number;
            busiest = thread;
        }
    }
    return busiest;
}

} // namespace warpline
