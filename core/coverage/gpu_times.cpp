#include "core/coverage/gpu_times.h"

#include "core/coverage/packed_intervals.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <ranges>
#include <vector>

namespace warpline {

namespace {

/// Calls visit(track, event) for each event of `table` that touches `window`.
template <typename Visit>
void forEachTouching(const EventTable& table, TimeRange window, const std::stop_token& stop, Visit&& visit)
{
    for (const Track& track : table.tracks) {
        for (const EventIndex i : eventsIn(table, track, window, stop))
            visit(track, i);
    }
}

/// Adds the page faults of `gpu`.
void addFaults(const Trace& trace, const GpuOfProcess& gpu, TimeRange window, std::vector<TimeRange>& waits,
    const std::stop_token& stop)
{
    const EventTable& faults = trace.pageFaults();
    forEachTouching(faults, window, stop, [&](const Track& track, EventIndex i) {
        if (processOf(track.owner) == gpu.first && track.device == gpu.second)
            waits.push_back(faults.range(i));
    });
}

struct Suspects {
    Intervals communicating;
    Intervals stalled;
};

/// The kernels that communicate, and the times in which kernels wait for pages, of each GPU.
std::map<GpuOfProcess, Suspects> suspects(const Trace& trace, const std::stop_token& stop)
{
    std::map<GpuOfProcess, Suspects> gpus;
    const CommunicationKernels communicates(trace);
    const KernelTable& kernels = trace.kernels();
    forEachTouching(kernels, trace.session, stop, [&](const Track& track, EventIndex i) {
        if (communicates[i])
            gpus[{track.owner, track.device}].communicating.push_back(kernels.range(i));
    });
    const MemcpyTable& copies = trace.memcpys();
    forEachTouching(copies, trace.session, stop, [&](const Track& track, EventIndex i) {
        if (stallsKernels(copies.copy(i)))
            gpus[{track.owner, track.device}].stalled.push_back(copies.range(i));
    });
    const EventTable& faults = trace.pageFaults();
    forEachTouching(faults, trace.session, stop, [&](const Track& track, EventIndex i) {
        if (track.device >= 0)
            gpus[{processOf(track.owner), track.device}].stalled.push_back(faults.range(i));
    });
    for (auto& [gpu, times] : gpus) {
        if (!times.stalled.empty()) {
            const Intervals waits = waitsBetweenPages(trace, gpu, stop).times;
            times.stalled.insert(times.stalled.end(), waits.begin(), waits.end());
        }
        times.communicating = unionOf(std::move(times.communicating), trace.session, stop);
        times.stalled = unionOf(std::move(times.stalled), trace.session, stop);
    }
    return gpus;
}

/// Adds the time of the events of `kind` on `gpu` inside `where`, unless `leaveOut(event)`.
template <typename LeaveOut>
void collectWithin(const Trace& trace, EventKind kind, const GpuOfProcess& gpu, const Intervals& where,
    std::vector<TimeRange>& pieces, const std::stop_token& stop, LeaveOut&& leaveOut)
{
    StopCheck check(stop);
    const EventTable& table = trace.table(kind);
    for (const Track& track : TracksOf(trace, kind, gpu.first)) {
        if (track.device != gpu.second)
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            for (const TimeRange& part : where) {
                const auto [first, last] = table.touching(lane, part);
                for (EventIndex i = first; i < last; ++i) {
                    check.step();
                    if (!leaveOut(i))
                        pieces.push_back(table.range(i).clippedTo(part));
                }
            }
        }
    }
}

} // namespace

std::map<GpuOfProcess, std::vector<LaneRun>> lanesOfGpus(const Trace& trace, TimeRange window)
{
    std::map<GpuOfProcess, std::vector<LaneRun>> gpus;
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, last] = table.touching(lane, window);
                if (first < last)
                    gpus[{track.owner, track.device}].push_back({kind, &table, first, last});
            }
        }
    }
    return gpus;
}

std::map<GpuOfProcess, GpuTimes> gpuTimes(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    PageWaits waits;
    const auto pageWaits = [&](const GpuOfProcess& gpu) -> const PageWaits& {
        return waits = waitsBetweenPages(trace, gpu, stop);
    };
    return gpuTimes(trace, window, pageWaits, {}, stop);
}

std::map<GpuOfProcess, GpuTimes> gpuTimes(const Trace& trace, TimeRange window,
    const std::function<const PageWaits&(const GpuOfProcess&)>& pageWaits,
    const std::map<GpuOfProcess, PackedIntervals>& kernels, const std::stop_token& stop)
{
    std::map<GpuOfProcess, GpuTimes> all;
    const CommunicationKernels communicates(trace);
    const MemcpyTable& copies = trace.memcpys();
    StopCheck check(stop);
    const auto communicatesIn = [&](const LaneRun& lane) {
        const auto events = std::views::iota(lane.next, lane.end);
        return lane.kind == EventKind::Kernel
            && std::ranges::any_of(events, [&](EventIndex i) { return communicates[i]; });
    };
    for (auto& [gpu, lanes] : lanesOfGpus(trace, window)) {
        const auto known = kernels.find(gpu);
        const bool isKnown = known != kernels.end() && std::ranges::none_of(lanes, communicatesIn);
        if (isKnown)
            std::erase_if(lanes, [](const LaneRun& lane) {
                return lane.kind == EventKind::Kernel || lane.kind == EventKind::GraphTrace;
            });
        PackedIntervals::Builder computing;
        PackedIntervals::Builder communicating;
        PackedIntervals::Builder copying;
        std::vector<TimeRange> faulting;
        std::size_t most = 0;
        for (const LaneRun& lane : lanes)
            most += lane.kind == EventKind::Kernel ? lane.end - lane.next : 0;
        computing.reserve(most); // address space, where there are fewer
        forEachByStart(std::move(lanes), [&](EventKind kind, const EventTable& table, EventIndex i) {
            check.step();
            const TimeRange range = table.range(i).clippedTo(window);
            const bool copied = kind == EventKind::Memcpy || kind == EventKind::Memset;
            const bool communicated = kind == EventKind::Kernel && communicates[i];
            (copied ? copying : communicated ? communicating : computing).add(range);
            if (kind == EventKind::Memcpy && stallsKernels(copies.copy(i)))
                faulting.push_back(range);
        });
        GpuTimes times{isKnown ? known->second : computing.done(), {}, communicating.done(), copying.done()};
        if (!times.computing.empty()) {
            addFaults(trace, gpu, window, faulting, stop);
            const Intervals waits = clipped(pageWaits(gpu).times, window);
            faulting.insert(faulting.end(), waits.begin(), waits.end());
            times.stalled = intersection(times.computing, unionOf(std::move(faulting), window, stop));
        }
        const bool works = !times.computing.empty() || !times.communicating.empty() || !times.copying.empty();
        if (!times.stalled.empty())
            times.computing = packedDifference(times.computing, times.stalled);
        if (works)
            all.emplace(gpu, std::move(times));
    }
    return all;
}

GpuTimes together(const GpuTimes& a, const GpuTimes& b)
{
    GpuTimes both;
    both.computing = united(a.computing, b.computing);
    both.stalled = difference(united(a.stalled, b.stalled), both.computing);
    both.communicating = united(a.communicating, b.communicating);
    both.copying = united(a.copying, b.copying);
    return both;
}

GpuSplit splitOf(const GpuTimes& times, TimeRange window)
{
    GpuSplit split;
    split.computing = totalTime(times.computing);
    split.stalled = totalTime(times.stalled); // never overlaps computing
    const auto idling = [&](const PackedIntervals& all) {
        return difference(difference(all, times.computing), times.stalled);
    };
    const Intervals communicating = idling(times.communicating);
    split.communicating = totalTime(communicating);
    split.copying = totalTime(difference(idling(times.copying), communicating));
    split.idle = window.duration() - split.total();
    return split;
}

std::map<GpuOfProcess, NotComputing> notComputing(const Trace& trace, const std::stop_token& stop)
{
    std::map<GpuOfProcess, NotComputing> all;
    const CommunicationKernels communicates(trace);
    const auto any = [](EventIndex) { return false; };
    for (const auto& [gpu, suspect] : suspects(trace, stop)) {
        const Intervals where = united(suspect.communicating, suspect.stalled);
        std::vector<TimeRange> pieces;
        collectWithin(trace, EventKind::Kernel, gpu, where, pieces, stop,
            [&](EventIndex i) { return communicates[i]; });
        collectWithin(trace, EventKind::GraphTrace, gpu, where, pieces, stop, any);
        const Intervals running = unionOf(std::move(pieces), trace.session, stop);
        const Intervals stalled = intersection(running, suspect.stalled);
        const Intervals communicating = difference(suspect.communicating, running);
        pieces.clear();
        collectWithin(trace, EventKind::Memcpy, gpu, where, pieces, stop, any);
        collectWithin(trace, EventKind::Memset, gpu, where, pieces, stop, any);
        const Intervals copying = unionOf(std::move(pieces), trace.session, stop);
        if (!stalled.empty() || !communicating.empty())
            all.emplace(gpu,
                NotComputing{Coverage(stalled), Coverage(communicating),
                    Coverage(intersection(copying, united(stalled, communicating)))});
    }
    return all;
}

} // namespace warpline
