#include "core/analysis/trace_analysis.h"

#include "core/analysis/gpu_activity.h"
#include "core/analysis/idle_gaps.h"
#include "core/analysis/scope.h"
#include "core/base/stop.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/load/memory_need.h"
#include "core/store/gpu_names.h"
#include "core/store/lane_merge.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <new>
#include <set>
#include <span>

namespace warpline {

namespace {

/// Walks the work of one GPU in order of time.
GpuFacts measure(const Trace& trace, const TraceAnalysis& facts, TimeRange window, std::vector<LaneRun> lanes)
{
    std::size_t most = 0;
    bool computes = true; // and nothing else
    for (const LaneRun& lane : lanes) {
        most += lane.end - lane.next;
        computes = computes && (lane.kind == EventKind::Kernel || lane.kind == EventKind::GraphTrace);
    }
    auto lists = std::make_shared<GpuFacts::Lists>();
    auto& [works, next] = *lists;
    // Reserves the maximum: unused pages are never touched.
    works.reserve(most);
    PackedIntervals::Builder busy;
    busy.reserve(most);
    PackedIntervals::Builder compute;
    compute.reserve(computes ? 0 : most);
    next.reserve(most);
    std::vector<std::size_t> unexplained; // gaps that a prefetch of unified memory ended: it names no call
    StopCheck check(facts.stop());
    forEachByStart(std::move(lanes), [&](EventKind kind, const EventTable& table, EventIndex i) {
        check.step();
        // Pages that faults move lie inside the kernel, or the code of the host, that missed them.
        if (kind == EventKind::Memcpy && isFaultMigration(trace.memcpys().copy(i)))
            return;
        const TimeRange piece = table.range(i).clippedTo(window);
        const std::uint32_t work = Links::pack({kind, i});
        if (!busy.empty() && piece.start > busy.back().end && !piece.empty()) {
            next.push_back(work);
            if (kind == EventKind::Memcpy && facts.callOf(work) == noIndex)
                unexplained.push_back(next.size() - 1);
        }
        // The thread that launches next is the one that prefetched.
        if (!unexplained.empty() && facts.callOf(work) != noIndex) {
            for (; !unexplained.empty(); unexplained.pop_back())
                next[unexplained.back()] = work;
        }
        works.push_back(work);
        busy.add(piece);
        if (!computes && (kind == EventKind::Kernel || kind == EventKind::GraphTrace))
            compute.add(piece);
    });
    GpuFacts gpu;
    gpu.work = works;
    gpu.busy = busy.done();
    gpu.compute = computes ? gpu.busy : compute.done();
    gpu.next = next;
    gpu.lists = std::move(lists);
    return gpu;
}

/// What `all` has for the pid of `process`; empty: nothing.
template <typename Value>
const Value& valueOfProcess(GlobalId process, const std::map<std::uint32_t, Value>& all)
{
    static const Value none;
    const auto found = all.find(pidOf(process));
    return found != all.end() ? found->second : none;
}

/// Lets `part` have the work and the gaps of `gpu` in `window`: the gaps from `firstGap` on, `gaps` of them.
void shareLists(const Trace& trace, TimeRange window, const GpuFacts& gpu, std::size_t firstGap,
    std::size_t gaps, const std::stop_token& stop, GpuFacts& part)
{
    const auto startOf = [&](std::uint32_t work) { return trace.range(Links::unpack(work)).start; };
    const auto end = std::ranges::lower_bound(gpu.work, window.end, {}, startOf);
    const auto inside = std::ranges::upper_bound(gpu.work.begin(), end, window.start, {}, startOf);
    auto first = inside; // of what runs already when the window begins
    bool isRun = true;
    for (const std::ptrdiff_t i : stoppable(std::ptrdiff_t{0}, inside - gpu.work.begin(), stop)) {
        const auto work = gpu.work.begin() + i;
        const bool touches = trace.range(Links::unpack(*work)).end > window.start;
        first = touches ? std::min(first, work) : first;
        isRun = isRun && (touches || first == inside);
    }
    part.lists = gpu.lists;
    part.work = std::span(first, end);
    part.next = gpu.next.subspan(firstGap, gaps);
    if (isRun)
        return;
    auto own = std::make_shared<GpuFacts::Lists>();
    for (const std::uint32_t work : stoppableItems(part.work, stop)) {
        if (trace.range(Links::unpack(work)).end > window.start)
            own->work.push_back(work);
    }
    own->next.assign(part.next.begin(), part.next.end());
    part.work = own->work;
    part.next = own->next;
    part.lists = std::move(own);
}

/// The facts of `gpus` cut to `window`, equal to those of measure(). Nothing where a gap that a prefetch
/// ended refers to work after the window.
std::optional<std::vector<GpuFacts>> cutTo(
    const Trace& trace, TimeRange window, const std::vector<GpuFacts>& gpus, const std::stop_token& stop)
{
    std::vector<GpuFacts> parts;
    for (const GpuFacts& gpu : gpus) {
        const auto stretches = touching(gpu.busy, window);
        if (stretches.empty())
            continue;
        GpuFacts& part = parts.emplace_back();
        part.process = gpu.process;
        part.device = gpu.device;
        part.busy = gpu.busy.within(window);
        part.compute = gpu.compute.within(window);
        shareLists(trace, window, gpu, static_cast<std::size_t>(stretches.begin() - gpu.busy.begin()),
            static_cast<std::size_t>(stretches.end() - stretches.begin()) - 1, stop, part);
        if (!part.next.empty() && trace.range(Links::unpack(part.next.back())).start >= window.end)
            return std::nullopt;
    }
    return parts;
}

/// The part of `all` in `range`.
std::map<GpuOfProcess, GpuTimes> cutTo(TimeRange range, const std::map<GpuOfProcess, GpuTimes>& all)
{
    std::map<GpuOfProcess, GpuTimes> part;
    for (const auto& [gpu, times] : all) {
        GpuTimes inside{times.computing.within(range), times.stalled.within(range),
            times.communicating.within(range), times.copying.within(range)};
        if (!inside.computing.empty() || !inside.stalled.empty() || !inside.communicating.empty()
            || !inside.copying.empty())
            part.emplace(gpu, std::move(inside));
    }
    return part;
}

} // namespace

TraceAnalysis::TraceAnalysis(const Trace& trace, TimeRange window, std::stop_token stop, std::string stepGlob)
    : m_trace(trace),
      m_window(window),
      m_stop(std::move(stop)),
      m_stepGlob(std::move(stepGlob))
{
}

TraceAnalysis::TraceAnalysis(TraceAnalysis& whole, TimeRange part)
    : m_whole(&whole),
      m_trace(whole.m_trace),
      m_window(part),
      m_stop(whole.m_stop),
      m_stepGlob(whole.m_stepGlob)
{
}

TraceAnalysis::TraceAnalysis(const TraceAnalysis& same, std::stop_token stop)
    : m_whole(same.m_whole),
      m_trace(same.m_trace),
      m_window(same.m_window),
      m_stop(std::move(stop)),
      m_stepGlob(same.m_stepGlob),
      m_made(same.m_made)
{
}

const std::vector<GpuFacts>& TraceAnalysis::gpus()
{
    return m_made->gpus.made([this] { return findGpus(); });
}

std::vector<GpuFacts> TraceAnalysis::findGpus() const
{
    if (m_whole) {
        if (auto parts = cutTo(m_trace, m_window, m_whole->gpus(), m_stop))
            return *std::move(parts);
    }
    if (!mayAnalyze(m_trace, m_window))
        throw std::bad_alloc(); // reported as such; if memory really runs out, the system ends the program
    std::vector<GpuFacts> gpus;
    for (auto& [id, lanes] : lanesOfGpus(m_trace, m_window)) {
        GpuFacts gpu = measure(m_trace, *this, m_window, std::move(lanes));
        if (gpu.busy.empty())
            continue;
        gpu.process = id.first;
        gpu.device = id.second;
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

const std::vector<const GpuFacts*>& TraceAnalysis::gpusOf(GlobalId process)
{
    return valueOfProcess(process, m_made->gpusByPid.made([this] {
        std::map<std::uint32_t, std::vector<const GpuFacts*>> byPid;
        for (const GpuFacts& gpu : gpus())
            byPid[pidOf(gpu.process)].push_back(&gpu);
        return byPid;
    }));
}

const SharedGpu& TraceAnalysis::sharingOf(std::int32_t number)
{
    return m_made->sharing.made([this] { return findSharing(); }).at(number);
}

std::map<std::int32_t, SharedGpu> TraceAnalysis::findSharing()
{
    std::map<std::int32_t, SharedGpu> all;
    for (const GpuFacts& gpu : gpus())
        all[gpuNumber(m_trace, gpu.process, gpu.device)].users.push_back(&gpu);
    for (auto& [number, gpu] : all) {
        std::map<std::uint32_t, std::vector<TimeRange>> byPid;
        for (const GpuFacts* const user : gpu.users) {
            std::vector<TimeRange>& busy = byPid[pidOf(user->process)];
            busy.insert(busy.end(), user->busy.begin(), user->busy.end());
        }
        gpu.isShared = byPid.size() > 1;
        if (!gpu.isShared)
            continue;
        std::vector<std::pair<Ns, int>> changes; // of how many use it
        for (auto& [pid, busy] : byPid) {
            for (const TimeRange& range : unionOf(std::move(busy), m_window, m_stop)) {
                changes.emplace_back(range.start, 1);
                changes.emplace_back(range.end, -1);
            }
        }
        std::ranges::sort(changes);
        PackedIntervals::Builder any;
        PackedIntervals::Builder several;
        int users = 0;
        for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
            users += changes[i].second;
            const TimeRange range{changes[i].first, changes[i + 1].first};
            if (users > 0)
                any.add(range);
            if (users > 1)
                several.add(range);
        }
        gpu.any = any.done();
        gpu.several = several.done();
    }
    return all;
}

const std::vector<GlobalId>& TraceAnalysis::callersOf(GlobalId process)
{
    return valueOfProcess(process, m_made->callers.made([this] {
        std::map<std::uint32_t, std::vector<GlobalId>> byPid;
        std::set<GlobalId> seen;
        for (const Track& track : m_trace.apiCalls().tracks) {
            if (seen.insert(track.owner).second)
                byPid[pidOf(track.owner)].push_back(track.owner);
        }
        return byPid;
    }));
}

GlobalId TraceAnalysis::threadOf(EventIndex call) const
{
    return m_trace.apiCalls().trackOf(call).owner;
}

const std::vector<WhatIfTarget>& TraceAnalysis::replays()
{
    return m_made->replays.made(
        [this] { return whatIfTargets(m_trace, m_window, m_stepGlob, limitsOfMany, m_stop); });
}

const StepSeries& TraceAnalysis::steps(GlobalId process)
{
    return valueOfProcess(process, allSteps());
}

const std::map<std::uint32_t, StepSeries>& TraceAnalysis::allSteps()
{
    return m_made->steps.made([this] { return findSteps(m_trace, m_window, m_stepGlob, m_stop); });
}

const CallKinds& TraceAnalysis::callKinds()
{
    if (m_whole)
        return m_whole->callKinds();
    return m_made->callKinds.made([this] { return CallKinds(m_trace); });
}

const StartedWork& TraceAnalysis::startedWork()
{
    if (m_whole)
        return m_whole->startedWork();
    return m_made->startedWork.made([this] { return warpline::startedWork(m_trace, m_stop); });
}

const ProgramKind& TraceAnalysis::program()
{
    if (m_whole)
        return m_whole->program();
    return m_made->program.made([this] { return programKindOf(m_trace, m_stop); });
}

const HostTimeline& TraceAnalysis::host(GlobalId thread)
{
    if (m_whole)
        return m_whole->host(thread);
    return m_made->hosts.made(
        thread, [&] { return HostTimeline(m_trace, callKinds(), thread, m_window, m_stop); });
}

const CommunicationWork& TraceAnalysis::communication(TimeRange part)
{
    return m_made->communication.made(
        {part.start, part.end}, [&] { return communicationWork(m_trace, part, m_stop); });
}

const PageWaits& TraceAnalysis::pageWaits(const GpuOfProcess& gpu)
{
    if (m_whole)
        return m_whole->pageWaits(gpu);
    return m_made->pageWaits.made(gpu, [&] { return waitsBetweenPages(m_trace, gpu, m_stop); });
}

std::shared_ptr<const TraceAnalysis::TimesOfGpus> TraceAnalysis::gpuTimes(TimeRange range)
{
    if (m_whole)
        return m_whole->gpuTimes(range);
    Made& made = *m_made;
    const std::scoped_lock lock(made.timesMutex);
    const auto keep = [&](TimeRange of) {
        if (made.times && made.timesOf == of)
            return;
        std::map<GpuOfProcess, PackedIntervals> kernels;
        if (of == m_window) {
            for (const GpuFacts& gpu : gpus())
                kernels[{gpu.process, gpu.device}] = gpu.compute;
        }
        made.times = std::make_shared<const TimesOfGpus>(warpline::gpuTimes(
            m_trace, of, std::bind_front(&TraceAnalysis::pageWaits, this), kernels, m_stop));
        made.timesOf = of;
    };
    const auto holds = [&](TimeRange whole) { return whole.start <= range.start && range.end <= whole.end; };
    if (!made.times && holds(m_window))
        keep(m_window);
    if (made.times && made.timesOf != range && holds(made.timesOf))
        return std::make_shared<const TimesOfGpus>(cutTo(range, *made.times));
    keep(range);
    return made.times;
}

const PackedIntervals& TraceAnalysis::idleAfterShort(Ns brief)
{
    return m_made->idleAfterShort.made(
        brief, [&] { return warpline::idleAfterShort(m_trace, gpus(), m_window, brief, m_stop); });
}

EventIndex TraceAnalysis::callOf(std::uint32_t work) const
{
    if (!m_trace.links)
        return noIndex;
    const EventRef event = Links::unpack(work);
    const auto& calls = m_trace.links->apiOf[indexOf(event.kind)];
    return event.index < calls.size() ? calls[event.index] : noIndex;
}

TimeRange TraceAnalysis::measuredRange()
{
    return m_made->measured.made([this] {
        const TimeRange judged = scopeOf(m_trace, m_window, *this).range;
        return judged.empty() ? m_window : judged;
    });
}

std::map<MachineGpu, DeviceBusy> busyByDevice(const Trace& trace, TraceAnalysis& facts, TimeRange window)
{
    std::map<MachineGpu, std::vector<const GpuFacts*>> users;
    for (const GpuFacts& gpu : facts.gpus())
        users[machineGpu(trace, gpu.process, gpu.device)].push_back(&gpu);
    std::map<MachineGpu, DeviceBusy> devices;
    for (const auto& [key, gpus] : users) {
        DeviceBusy& device = devices[key];
        device.process = gpus.size() == 1 ? gpus.front()->process : GlobalId{0};
        device.ordinal = gpus.size() == 1 ? gpus.front()->device : key.first;
        const GpuFacts& first = *gpus.front();
        if (gpus.size() == 1 && window.start <= first.span().start && first.span().end <= window.end) {
            device.busy = first.busy;
            continue;
        }
        Intervals busy = clipped(first.busy, window);
        for (const GpuFacts* const gpu : std::span(gpus).subspan(1))
            busy.insert(busy.end(), gpu->busy.begin(), gpu->busy.end());
        if (gpus.size() > 1)
            busy = unionOf(std::move(busy), window, facts.stop());
        device.busy = busy;
    }
    return devices;
}

std::string nameOf(const Trace& trace, const GpuFacts& gpu)
{
    return nameOf(trace, GpuKey{gpu.process, gpu.device, -1});
}

} // namespace warpline
