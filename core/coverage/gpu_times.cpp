#include "core/coverage/gpu_times.h"

#include "core/coverage/first_pages.h"
#include "core/coverage/united.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
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

void addFirstPages(const Trace& trace, const GpuOfProcess& gpu, TimeRange window,
    std::vector<TimeRange>& waits, const std::stop_token& stop)
{
    const std::vector<TimeRange> first = waitsForFirstPages(trace, gpu.first, gpu.second, window, stop);
    waits.insert(waits.end(), first.begin(), first.end());
}

/// The kernels that communicate, and the moving of pages that kernels wait for, of each GPU.
std::map<GpuOfProcess, GpuTimes> suspects(const Trace& trace, const std::stop_token& stop)
{
    std::map<GpuOfProcess, GpuTimes> gpus;
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
        if (!times.stalled.empty())
            addFirstPages(trace, gpu, trace.session, times.stalled, stop);
        times.communicating = unionOf(std::move(times.communicating), trace.session, stop);
        times.stalled = unionOf(std::move(times.stalled), trace.session, stop);
    }
    return gpus;
}

/// Adds what of the events of `kind` on `gpu` lies in `where`, unless `leaveOut(event)`.
template <typename LeaveOut>
void collectWithin(const Trace& trace, EventKind kind, const GpuOfProcess& gpu, const Intervals& where,
    std::vector<TimeRange>& pieces, const std::stop_token& stop, LeaveOut&& leaveOut)
{
    StopCheck check(stop);
    const EventTable& table = trace.table(kind);
    for (const Track& track : table.tracks) {
        if (track.owner != gpu.first || track.device != gpu.second)
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

struct Pieces {
    std::size_t mostKernels = 0;
    std::vector<TimeRange> computing;
    std::vector<TimeRange> faulting;
    std::vector<TimeRange> communicating;
    std::vector<TimeRange> copying;
};

std::map<GpuOfProcess, Pieces> collect(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    std::map<GpuOfProcess, Pieces> gpus;
    const CommunicationKernels communicates(trace);
    const KernelTable& kernels = trace.kernels();
    for (const Track& track : kernels.tracks)
        gpus[{track.owner, track.device}].mostKernels += track.eventCount;
    for (auto& [gpu, pieces] : gpus)
        pieces.computing.reserve(pieces.mostKernels); // address space, where there are fewer
    forEachTouching(kernels, window, stop, [&](const Track& track, EventIndex i) {
        Pieces& pieces = gpus[{track.owner, track.device}];
        (communicates[i] ? pieces.communicating : pieces.computing).push_back(kernels.range(i));
    });
    const EventTable& graphs = trace.table(EventKind::GraphTrace);
    forEachTouching(graphs, window, stop, [&](const Track& track, EventIndex i) {
        gpus[{track.owner, track.device}].computing.push_back(graphs.range(i));
    });
    const MemcpyTable& copies = trace.memcpys();
    forEachTouching(copies, window, stop, [&](const Track& track, EventIndex i) {
        Pieces& pieces = gpus[{track.owner, track.device}];
        pieces.copying.push_back(copies.range(i));
        if (stallsKernels(copies.copy(i)))
            pieces.faulting.push_back(copies.range(i));
    });
    const EventTable& sets = trace.table(EventKind::Memset);
    forEachTouching(sets, window, stop, [&](const Track& track, EventIndex i) {
        gpus[{track.owner, track.device}].copying.push_back(sets.range(i));
    });
    const EventTable& faults = trace.pageFaults();
    forEachTouching(faults, window, stop, [&](const Track& track, EventIndex i) {
        if (track.device >= 0)
            gpus[{processOf(track.owner), track.device}].faulting.push_back(faults.range(i));
    });
    for (auto& [gpu, pieces] : gpus) {
        if (!pieces.faulting.empty() || !pieces.computing.empty())
            addFirstPages(trace, gpu, window, pieces.faulting, stop);
    }
    return gpus;
}

} // namespace

std::map<GpuOfProcess, GpuTimes> gpuTimes(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    std::map<GpuOfProcess, GpuTimes> all;
    for (auto& [gpu, pieces] : collect(trace, window, stop)) {
        GpuTimes times;
        Intervals running = unionOf(std::move(pieces.computing), window, stop);
        const bool runs = !running.empty();
        times.stalled = intersection(running, unionOf(std::move(pieces.faulting), window, stop));
        times.computing = times.stalled.empty() ? std::move(running) : difference(running, times.stalled);
        times.communicating = unionOf(std::move(pieces.communicating), window, stop);
        times.copying = unionOf(std::move(pieces.copying), window, stop);
        if (runs || !times.communicating.empty() || !times.copying.empty())
            all.emplace(gpu, std::move(times));
    }
    return all;
}

GpuTimes together(const GpuTimes& a, const GpuTimes& b, TimeRange /*window*/)
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
    split.stalled = totalTime(times.stalled); // never beside computing
    const auto idling
        = [&](const Intervals& all) { return difference(difference(all, times.computing), times.stalled); };
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
