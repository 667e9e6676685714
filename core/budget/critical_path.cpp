#include "core/budget/critical_path.h"

#include "core/budget/gpu_budget.h"
#include "core/coverage/intervals.h"
#include "core/replay/work_edges.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/trace.h"

#include <algorithm>
#include <tuple>

namespace warpline {

struct CriticalPaths::Index {
    Index(const Trace& of, GlobalId ofProcess, const KernelClassRules& by, const std::stop_token& stop)
        : trace(of),
          process(ofProcess),
          rules(by),
          edges(of, ofProcess, allTime, stop)
    {
        collectSyncs(stop);
        collectCommunication(stop);
        collectDevices(stop);
    }

    void collectSyncs(const std::stop_token& stop);
    void collectCommunication(const std::stop_token& stop);
    void collectDevices(const std::stop_token& stop);
    std::string idOf(EventRef work) const;

    /// The work of all streams of a device.
    struct DeviceWork {
        std::vector<const StreamItem*> byStart;
        std::vector<const StreamItem*> byEnd;
    };

    const Trace& trace;
    GlobalId process;
    const KernelClassRules& rules;
    WorkEdges edges;
    std::map<GlobalId, std::vector<EventIndex>> syncs; ///< calls that wait, by thread, by their begin
    std::map<GlobalId, Intervals> communication; ///< calls of libraries that wait for other ranks, by thread
    std::map<std::int32_t, DeviceWork> devices;
    mutable std::map<StringId, std::string> ids; ///< by a kernel's name
};

void CriticalPaths::Index::collectSyncs(const std::stop_token& stop)
{
    const EventTable& table = trace.apiCalls();
    for (const Track& track : table.tracks) {
        if (processOf(track.owner) != process)
            continue;
        std::vector<EventIndex>& ofThread = syncs[track.owner];
        for (const EventIndex i : eventsOf(track, stop)) {
            if (edges.isWait(i))
                ofThread.push_back(i);
        }
        std::ranges::stable_sort(ofThread, {}, [&](EventIndex i) { return table.start[i]; });
    }
}

void CriticalPaths::Index::collectCommunication(const std::stop_token& stop)
{
    std::map<GlobalId, std::vector<TimeRange>> ofThreads;
    for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            const bool isOurs = track.device < 0 && processOf(track.owner) == process;
            if (!isOurs || !isCommunicationLibrary(trace.text(track.family)))
                continue;
            for (const EventIndex i : eventsOf(track, stop))
                ofThreads[track.owner].push_back(table.range(i));
        }
    }
    for (auto& [thread, ranges] : ofThreads)
        communication[thread] = unionOf(std::move(ranges), allTime, stop);
}

void CriticalPaths::Index::collectDevices(const std::stop_token& stop)
{
    for (const auto& [key, items] : edges.streams()) {
        for (const StreamItem& item : stoppableItems(items, stop))
            devices[std::get<0>(key)].byStart.push_back(&item);
    }
    for (auto& [device, work] : devices)
        std::ranges::stable_sort(work.byStart, {}, [](const StreamItem* item) { return item->runs.start; });
    for (const StreamItem& item : stoppableItems(edges.byEnd(), stop))
        devices[trace.track(trace.trackOf(item.work)).device].byEnd.push_back(&item);
}

std::string CriticalPaths::Index::idOf(EventRef work) const
{
    switch (work.kind) {
    case EventKind::Memcpy:
        return "copy";
    case EventKind::Memset:
        return "set";
    case EventKind::GraphTrace:
        return "graph";
    default:
        break;
    }
    const StringId name = trace.kernels().name[work.index];
    const auto [place, added] = ids.try_emplace(name);
    if (added) {
        const std::string kernelClass = rules.classes()[rules.classOf(trace.text(name))].id;
        place->second = kernelClass == "communication" ? kernelClass : "compute_" + kernelClass;
    }
    return place->second;
}

namespace {

/// Walks back through one step. `Index` is private: it comes as a type.
template <typename Index> class Walk {
public:
    Walk(const Index& index, TimeRange step)
        : m_index(index),
          m_step(step),
          m_at(step.end)
    {
    }

    /// From the begin of `item` back.
    std::vector<PathPiece> from(const StreamItem* item)
    {
        while (m_at > m_step.start && item) {
            const Ns at = m_at;
            item = cause(*item);
            if (m_at == at && !item)
                break;
            if (m_at == at && ++m_idle > maxIdle)
                break; // events without length that refer to each other
        }
        add(m_step.start, {}, "unknown");
        std::ranges::reverse(m_pieces);
        return std::move(m_pieces);
    }

    /// After `item`, the last of the step, the host works alone until the step ends.
    void after(const StreamItem& item)
    {
        const EventRef call = m_index.trace.apiCallOf(item.work);
        addHost(item.runs.end, call.valid() ? m_index.trace.apiCalls().trackOf(call.index).owner : 0);
    }

    /// Adds the run of `item`, which ends where the path has arrived.
    void run(const StreamItem& item) { add(item.runs.start, item.work, m_index.idOf(item.work)); }

private:
    static constexpr int maxIdle = 1000;

    /// Adds the time from `begin` to the path's current place, which moves to `begin`.
    void add(Ns begin, EventRef event, std::string id)
    {
        begin = std::clamp(begin, m_step.start, m_at);
        if (begin < m_at)
            m_pieces.push_back({{begin, m_at}, event, std::move(id)});
        m_at = begin;
    }

    /// The same for time of `thread`, with calls that wait for other ranks as a separate part.
    void addHost(Ns begin, GlobalId thread)
    {
        const auto calls = m_index.communication.find(thread);
        if (calls != m_index.communication.end()) {
            const Intervals inside = clipped(calls->second, {std::max(begin, m_step.start), m_at});
            for (auto each = inside.rbegin(); each != inside.rend(); ++each) {
                add(each->end, {}, "host");
                add(each->start, {}, "host_ranks");
            }
        }
        add(begin, {}, "host");
    }

    /// Adds the pieces that kept `item` from starting earlier. Returns the work at which the path continues;
    /// nullptr: the path ends.
    const StreamItem* cause(const StreamItem& item)
    {
        const StreamItem* last = m_index.edges.before(item);
        if (const EventRef held = m_index.edges.producerOf(item.work); held.valid()) {
            const StreamItem* const producer = m_index.edges.find(held);
            if (producer && (!last || producer->runs.end > last->runs.end))
                last = producer;
        }
        const EventRef call = m_index.trace.apiCallOf(item.work);
        const Ns ready = last ? last->runs.end : m_step.start;
        if (call.valid() && m_index.trace.range(call).end > ready
            && m_index.trace.range(call).start < item.runs.start)
            return host(call);
        add(ready, {}, "queue");
        if (last)
            run(*last);
        return last;
    }

    /// The host was late: back along the launching thread to the last work that it waited for.
    const StreamItem* host(EventRef call)
    {
        const Trace& trace = m_index.trace;
        const TimeRange made = trace.range(call);
        add(made.end, {}, "launch");
        const GlobalId thread = trace.apiCalls().trackOf(call.index).owner;
        const auto ofThread = m_index.syncs.find(thread);
        if (ofThread != m_index.syncs.end()) {
            const auto& syncs = ofThread->second;
            auto place = std::ranges::lower_bound(
                syncs, made.start, {}, [&](EventIndex i) { return trace.apiCalls().start[i]; });
            while (place != syncs.begin() && m_at > m_step.start) {
                const TimeRange sync = trace.apiCalls().range(*--place);
                if (sync.end > m_at)
                    continue;
                addHost(sync.end, thread);
                const StreamItem* const done = m_index.edges.doneBy(sync.end);
                const bool waited = done && done->runs.end > sync.start;
                add(waited ? done->runs.end : sync.start, {EventKind::ApiCall, *place}, "host_wait");
                if (waited) {
                    run(*done);
                    return done;
                }
            }
        }
        addHost(m_step.start, thread);
        return nullptr;
    }

    const Index& m_index;
    TimeRange m_step;
    Ns m_at; ///< the path is known from here on
    int m_idle = 0;
    std::vector<PathPiece> m_pieces;
};

} // namespace

CriticalPaths::CriticalPaths(
    const Trace& trace, GlobalId process, const KernelClassRules& rules, const std::stop_token& stop)
    : m_index(std::make_unique<const Index>(trace, process, rules, stop))
{
}

CriticalPaths::~CriticalPaths() = default;

std::vector<PathPiece> CriticalPaths::through(TimeRange step, std::int32_t device) const
{
    if (step.empty())
        return {};
    Walk walk(*m_index, step);
    const auto found = m_index->devices.find(device);
    if (found == m_index->devices.end())
        return walk.from(nullptr);
    // Where the GPU does not rest between steps, one ends as the next one's first work begins.
    const auto& [byStart, byEnd] = found->second;
    const auto next = std::ranges::lower_bound(
        byStart, step.end, {}, [](const StreamItem* item) { return item->runs.start; });
    if (next != byStart.end() && (*next)->runs.start == step.end)
        return walk.from(*next);
    // Otherwise with its last work on this GPU, or later.
    const auto after = std::ranges::upper_bound(
        byEnd, step.end, {}, [](const StreamItem* item) { return item->runs.end; });
    if (after == byEnd.begin())
        return walk.from(nullptr);
    const StreamItem& last = **std::prev(after);
    walk.after(last);
    walk.run(last);
    return walk.from(&last);
}

PathSums sumsOf(const std::vector<PathPiece>& path)
{
    PathSums sums;
    for (const PathPiece& piece : path)
        sums[piece.id] += piece.range.duration();
    return sums;
}

Message pathTitle(const std::string& id, const KernelClassRules& rules)
{
    return {"path.part",
        "{part, select, communication {Communication} copy {Copies} set {Memsets} "
        "graph {CUDA graphs recorded as a whole} host {Host: code and calls up to the launch} "
        "host_wait {Host: return from a wait} host_ranks {Host: in calls of MPI, UCX or NVSHMEM} "
        "launch {Launch latency} queue {Between work on the GPU} unknown {Unknown} other {{title}}}",
        {{"part", Name{id}}, {"title", nameOfPart(id, GpuApi::Cuda, rules)}}};
}

PathSums meanPath(const CriticalPaths& paths, const GpuSteps& steps, const std::stop_token& stop)
{
    PathSums sums;
    for (const std::size_t i : stoppable(steps.gpu.firstSteady, steps.gpu.size(), stop)) {
        for (const auto& [id, time] : sumsOf(paths.through(steps.gpu.ranges[i], steps.device)))
            sums[id] += time;
    }
    Budget times;
    for (const auto& [id, time] : sums)
        times.push_back(time);
    const Budget mean = meanOf(times, steps.gpu.steady());
    for (std::size_t part = 0; auto& [id, time] : sums)
        time = mean[part++];
    return sums;
}

} // namespace warpline
