// What the host does in the parts of a run in which no GPU works, under the names that a report has for it.

#include "core/overview/host_phases.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/coverage/united.h"
#include "core/glossary/os_call_words.h"
#include "core/overview/idle_reasons.h"
#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace warpline {

namespace {

constexpr double worthAPhase = 0.02; ///< of the parts
constexpr double nearlyAll = 0.8; ///< a range that covers so much is no phase: those inside are
constexpr std::size_t mostPhases = 6;

/// Where most of `time` lies: without its first and last stretches, up to a twentieth of it on each side. A
/// file that is opened early makes no phase of what follows.
TimeRange mostOf(const Intervals& time)
{
    const Ns spare = totalTime(time) / 20;
    std::size_t first = 0;
    for (Ns left = spare - time.front().duration(); left >= 0 && first + 1 < time.size();)
        left -= time[++first].duration();
    std::size_t last = time.size() - 1;
    for (Ns left = spare - time.back().duration(); left >= 0 && last > first;)
        left -= time[--last].duration();
    return {time[first].start, time[last].end};
}

/// The time of parts by name: each instant goes to the first name that asks for it.
class Phases {
public:
    explicit Phases(const Intervals& parts)
        : m_all(totalTime(parts)),
          m_left(parts)
    {
    }

    const Intervals& left() const { return m_left; }
    Ns all() const { return m_all; }
    TimeRange span() const
    {
        return m_left.empty() ? TimeRange{} : TimeRange{m_left.front().start, m_left.back().end};
    }

    void give(const std::string& name, std::vector<TimeRange> wanted)
    {
        if (m_left.empty() || wanted.empty())
            return;
        const Intervals mine = intersection(m_left, unionOf(std::move(wanted), span()));
        if (mine.empty())
            return;
        m_left = difference(m_left, mine);
        Intervals& of = m_named[name];
        of = united(of, mine);
    }

    std::vector<OverviewPhase> found() const
    {
        std::vector<OverviewPhase> phases;
        for (const auto& [name, time] : m_named) {
            if (shareOf(totalTime(time), m_all) >= worthAPhase)
                phases.push_back({name, totalTime(time), time.size(), mostOf(time)});
        }
        std::ranges::stable_sort(phases, std::greater{}, &OverviewPhase::time);
        phases.resize(std::min(phases.size(), mostPhases));
        std::ranges::stable_sort(phases, {}, [](const OverviewPhase& each) { return each.where.start; });
        return phases;
    }

private:
    Ns m_all;
    Intervals m_left;
    std::map<std::string, Intervals> m_named;
};

/// The events of `lane` that touch `parts`, by what `nameOf` says of them; an empty name: none.
template <typename NameOf>
std::map<std::string, std::vector<TimeRange>> byName(const EventTable& table, const Lane& lane,
    const Intervals& parts, const std::stop_token& stop, NameOf nameOf)
{
    std::map<std::string, std::vector<TimeRange>> ranges;
    if (parts.empty())
        return ranges;
    const auto [first, last] = table.touching(lane, {parts.front().start, parts.back().end});
    for (const EventIndex i : stoppable(first, last, stop)) {
        if (std::string name = nameOf(i); !name.empty())
            ranges[std::move(name)].push_back(table.range(i));
    }
    return ranges;
}

class HostNames {
public:
    HostNames(const Trace& trace, GlobalId thread, Phases& phases, const std::stop_token& stop)
        : m_trace(trace),
          m_thread(thread),
          m_phases(phases),
          m_stop(stop)
    {
    }

    void nameAll()
    {
        communication();
        ownRanges();
        algorithms();
        systemCalls();
        states();
        for (auto& [name, ranges] : m_wide)
            m_phases.give(name, std::move(ranges));
    }

private:
    /// Hands out the outermost events of the thread in `kind`, by what `nameOf(track, event)` calls them.
    template <typename NameOf> void outermost(EventKind kind, NameOf nameOf)
    {
        const EventTable& table = m_trace.table(kind);
        for (const Track& track : table.tracks) {
            if (track.owner != m_thread || track.laneCount == 0 || track.device >= 0)
                continue;
            auto named = byName(table, table.lanes[track.firstLane], m_phases.left(), m_stop,
                [&](EventIndex i) { return nameOf(track, i); });
            for (auto& [name, ranges] : named)
                m_phases.give(name, std::move(ranges));
        }
    }

    void communication()
    {
        for (const EventKind kind : {EventKind::Library, EventKind::Nvtx})
            outermost(kind, [&](const Track& track, EventIndex) {
                const std::string_view family = m_trace.text(track.family);
                return isCommunicationLibrary(family) ? "in calls of " + toUtf8(family) : std::string();
            });
    }

    /// The program's own ranges: of no domain first, others lie inside them.
    void ownRanges()
    {
        for (const bool named : {false, true}) {
            for (const Track& track : m_trace.nvtx().tracks) {
                const std::string_view domain = m_trace.text(track.family);
                if (track.owner == m_thread && track.device < 0 && domain.empty() != named
                    && !isLibraryDomain(domain))
                    rangesOf(track);
            }
        }
    }

    void rangesOf(const Track& track)
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Lane& lane : nvtx.lanesOf(track)) {
            auto named = byName(nvtx, lane, m_phases.left(), m_stop,
                [&](EventIndex i) { return withoutNumbers(toUtf8(m_trace.text(nvtx.name[i]))); });
            bool isWide = false;
            for (auto& [name, ranges] : named) {
                const Ns time
                    = totalTime(intersection(m_phases.left(), unionOf(ranges, m_phases.span(), m_stop)));
                if (shareOf(time, m_phases.all()) < nearlyAll) {
                    m_phases.give(name, std::move(ranges));
                    continue;
                }
                m_wide.emplace(m_wide.begin(), name, std::move(ranges)); // the innermost first
                isWide = true;
            }
            if (!isWide)
                return;
        }
    }

    void algorithms()
    {
        outermost(EventKind::Nvtx, [&](const Track& track, EventIndex i) {
            return m_trace.text(track.family) == "STDPAR"
                ? "parallel algorithms: " + toUtf8(m_trace.text(m_trace.nvtx().name[i]))
                : std::string();
        });
        const EventTable& libraries = m_trace.table(EventKind::Library);
        outermost(EventKind::Library, [&](const Track& track, EventIndex i) {
            return m_trace.text(track.family) == "OpenMP"
                    && m_trace.text(libraries.name[i]) == "Parallel Region"
                ? std::string("OpenMP: parallel regions")
                : std::string();
        });
    }

    void systemCalls()
    {
        const EventTable& calls = m_trace.table(EventKind::OsRuntime);
        outermost(EventKind::OsRuntime,
            [&](const Track&, EventIndex i) { return nameOfCall(m_trace.text(calls.name[i])); });
    }

    static std::string nameOfCall(std::string_view call)
    {
        switch (osCallKind(call)) {
        case OsCallKind::Reads:
            return "reads files";
        case OsCallKind::Writes:
            return "writes files";
        case OsCallKind::Files:
            return "opens and closes files";
        case OsCallKind::WaitsForThread:
            return "waits for other threads";
        case OsCallKind::WaitsForProcess:
            return "waits for another process";
        case OsCallKind::WaitsForInput:
            return "waits for input";
        case OsCallKind::Sleeps:
            return "sleeps";
        case OsCallKind::Yields:
            return "spins (sched_yield)";
        case OsCallKind::Driver:
            return "in the driver (ioctl)";
        case OsCallKind::Other:
            break;
        }
        return "other calls of the operating system";
    }

    void states()
    {
        const EventTable& states = m_trace.table(EventKind::ThreadState);
        outermost(EventKind::ThreadState, [&](const Track&, EventIndex i) {
            return m_trace.text(states.name[i]) == "Running" ? std::string()
                                                             : std::string("waits, on no CPU");
        });
    }

    const Trace& m_trace;
    GlobalId m_thread;
    Phases& m_phases;
    std::stop_token m_stop;
    std::vector<std::pair<std::string, std::vector<TimeRange>>> m_wide;
};

} // namespace

std::vector<OverviewPhase> hostPhases(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    if (thread == 0 || parts.empty())
        return {};
    Phases phases(parts);
    HostNames(trace, thread, phases, stop).nameAll();
    return phases.found();
}

std::vector<OverviewPhase> idlePhases(
    const BudgetParts& parts, const GpuBudget& gpu, TimeRange life, const OverviewPart& idle)
{
    Budget budget = idle.alone.empty() ? gpu.within(life) : Budget(parts.size(), 0);
    for (const TimeRange& stretch : idle.alone) {
        const Budget part = gpu.within(stretch);
        for (std::size_t i = 0; i < part.size(); ++i)
            budget[i] += part[i];
    }
    std::vector<OverviewPhase> phases;
    Ns sum = 0;
    for (const IdleReason& reason : idleReasons(parts, budget)) {
        sum += reason.time;
        if (shareOf(reason.time, idle.time) >= worthAPhase && phases.size() < mostPhases)
            phases.push_back({reason.text, reason.time, 0, {}});
    }
    // The whole life also has the profiler's time, and pages that move: no reasons are better than too much.
    return sum <= idle.time ? phases : std::vector<OverviewPhase>();
}

void addPhases(RunOverview& overview, const Trace& trace, const GpuBudgets& budgets, GlobalId thread,
    const std::stop_token& stop)
{
    for (OverviewPart& part : overview.parts) {
        if (part.kind == OverviewKind::Idle && budgets.gpus().size() == 1)
            part.phases = idlePhases(budgets.parts(), budgets.gpus().front(), overview.life, part);
        else if (part.kind == OverviewKind::BeforeCuda || part.kind == OverviewKind::HostBefore
            || part.kind == OverviewKind::Exit || part.kind == OverviewKind::HostOnly)
            part.phases = hostPhases(trace, thread, part.alone, stop);
    }
}

std::string phasesText(const OverviewPart& part, TimeRange window)
{
    if (part.phases.size() < 2)
        return {};
    constexpr double allAlong = 0.8; // of the window
    std::string text;
    for (const OverviewPhase& phase : part.phases)
        text += fmt::format("{} {} {} ({})", text.empty() ? "" : ";", phase.name, formatDuration(phase.time),
            shareOf(phase.where.duration(), window.duration()) >= allAlong
                ? std::string("all along")
                : fmt::format("{}between {} and {}", phase.stretches > 1 ? "most " : "",
                    formatDuration(phase.where.start - window.start),
                    formatDuration(phase.where.end - window.start)));
    return fmt::format("Its main thread, in the order of time:{}.", text);
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
