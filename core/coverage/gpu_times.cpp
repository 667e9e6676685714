#include "core/coverage/gpu_times.h"

#include "core/store/trace.h"

#include <algorithm>
#include <vector>

namespace warpline {

namespace {

constexpr std::int32_t askedForByTheProgram = 1; // ENUM_CUDA_UNIF_MEM_MIGRATION: cudaMemPrefetchAsync

/// Calls visit(track, event) for each event of `table` that touches `window`.
template <typename Visit> void forEachTouching(const EventTable& table, TimeRange window, Visit&& visit)
{
    for (const Track& track : table.tracks) {
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = table.touching(lane, window);
            for (EventIndex i = first; i < last; ++i)
                visit(track, i);
        }
    }
}

bool isUnasked(const CopyAttributes& copy)
{
    return copy.kind == CopyKind::UnifiedHtoD && copy.migrationCause != askedForByTheProgram;
}

struct Pieces {
    std::vector<TimeRange> computing;
    std::vector<TimeRange> faulting;
    std::vector<TimeRange> communicating;
    std::vector<TimeRange> copying;
};

std::map<GpuOfProcess, Pieces> collect(const Trace& trace, TimeRange window)
{
    std::map<GpuOfProcess, Pieces> gpus;
    const CommunicationKernels communicates(trace);
    const KernelTable& kernels = trace.kernels();
    forEachTouching(kernels, window, [&](const Track& track, EventIndex i) {
        Pieces& pieces = gpus[{track.owner, track.device}];
        (communicates[i] ? pieces.communicating : pieces.computing).push_back(kernels.range(i));
    });
    const EventTable& graphs = trace.table(EventKind::GraphTrace);
    forEachTouching(graphs, window, [&](const Track& track, EventIndex i) {
        gpus[{track.owner, track.device}].computing.push_back(graphs.range(i));
    });
    const MemcpyTable& copies = trace.memcpys();
    forEachTouching(copies, window, [&](const Track& track, EventIndex i) {
        Pieces& pieces = gpus[{track.owner, track.device}];
        pieces.copying.push_back(copies.range(i));
        if (isUnasked(copies.copy(i)))
            pieces.faulting.push_back(copies.range(i));
    });
    const EventTable& sets = trace.table(EventKind::Memset);
    forEachTouching(sets, window, [&](const Track& track, EventIndex i) {
        gpus[{track.owner, track.device}].copying.push_back(sets.range(i));
    });
    const EventTable& faults = trace.pageFaults();
    forEachTouching(faults, window, [&](const Track& track, EventIndex i) {
        if (track.device >= 0)
            gpus[{processOf(track.owner), track.device}].faulting.push_back(faults.range(i));
    });
    return gpus;
}

Intervals unionOfBoth(const Intervals& a, const Intervals& b, TimeRange window)
{
    std::vector<TimeRange> all(a);
    all.insert(all.end(), b.begin(), b.end());
    return unionOf(std::move(all), window);
}

} // namespace

std::map<GpuOfProcess, GpuTimes> gpuTimes(const Trace& trace, TimeRange window)
{
    std::map<GpuOfProcess, GpuTimes> all;
    for (auto& [gpu, pieces] : collect(trace, window)) {
        GpuTimes times;
        const Intervals running = unionOf(std::move(pieces.computing), window);
        times.stalled = intersection(running, unionOf(std::move(pieces.faulting), window));
        times.computing = difference(running, times.stalled);
        times.communicating = unionOf(std::move(pieces.communicating), window);
        times.copying = unionOf(std::move(pieces.copying), window);
        if (!running.empty() || !times.communicating.empty() || !times.copying.empty())
            all.emplace(gpu, std::move(times));
    }
    return all;
}

GpuTimes together(const GpuTimes& a, const GpuTimes& b, TimeRange window)
{
    GpuTimes both;
    both.computing = unionOfBoth(a.computing, b.computing, window);
    both.stalled = difference(unionOfBoth(a.stalled, b.stalled, window), both.computing);
    both.communicating = unionOfBoth(a.communicating, b.communicating, window);
    both.copying = unionOfBoth(a.copying, b.copying, window);
    return both;
}

GpuSplit splitOf(const GpuTimes& times, TimeRange window)
{
    GpuSplit split;
    split.computing = totalTime(times.computing);
    split.stalled = totalTime(times.stalled); // never beside computing
    const Intervals running = unionOfBoth(times.computing, times.stalled, window);
    const Intervals communicating = difference(times.communicating, running);
    split.communicating = totalTime(communicating);
    split.copying = totalTime(difference(times.copying, unionOfBoth(running, communicating, window)));
    split.idle = window.duration() - split.total();
    return split;
}

bool mayNotWork(const Trace& trace, TimeRange window)
{
    if (!trace.pageFaults().empty() || std::ranges::any_of(trace.memcpys().copies, isUnasked))
        return true;
    const CommunicationKernels communicates(trace);
    const KernelTable& kernels = trace.kernels();
    for (const Lane& lane : kernels.lanes) {
        const auto [first, last] = kernels.touching(lane, window);
        for (EventIndex i = first; i < last; ++i) {
            if (communicates[i])
                return true;
        }
    }
    return false;
}

} // namespace warpline
