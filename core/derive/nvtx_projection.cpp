#include "core/derive/nvtx_projection.h"

#include "core/base/parallel.h"
#include "core/base/release.h"
#include "core/base/sorted_runs.h"
#include "core/derive/helper_threads.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"
#include "core/store/table_builder.h"
#include "core/store/trace.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace warpline {

namespace {

constexpr TimeRange nothing{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};

/// GPU work: from its first start to its last end, and the number of its pieces.
struct Work {
    TimeRange span = nothing;
    std::uint64_t pieces = 0;

    void add(const Work& other)
    {
        span = span.unitedWith(other.span);
        pieces += other.pieces;
    }
};

/// A report may name any number of devices, and each range is projected onto each.
constexpr std::size_t maxDevices = 128;

/// The GPU work that call `call` launched, by device.
void findWorkOf(const Trace& trace, EventIndex call, std::vector<std::pair<std::int32_t, Work>>& devices)
{
    devices.clear();
    trace.visitWork(call, [&](EventRef work) {
        if (!isGpuWork(work.kind))
            return;
        const std::int32_t device = trace.track(trace.trackOf(work)).device;
        auto known = std::ranges::find(devices, device, &std::pair<std::int32_t, Work>::first);
        if (known == devices.end() && devices.size() >= maxDevices)
            return;
        if (known == devices.end())
            known = devices.insert(known, {device, Work{}});
        known->second.add({trace.range(work), 1});
    });
}

/// First start, last end and number of pieces of GPU work over any run of a thread's calls, for one device.
/// Stores the work of blocks of calls, and a sparse table over the blocks, because per call both would be
/// many times the trace's size. The calls outside of whole blocks are looked up again.
class WorkOfCalls {
public:
    /// Makes room for `calls` calls.
    WorkOfCalls(const Trace& trace, std::int32_t device, std::size_t calls)
        : m_trace(&trace),
          m_device(device)
    {
        m_calls.reserve(calls);
        m_blocks.reserve(calls / blockSize + 1);
    }

    /// Calls come by start.
    void add(EventIndex call, const Work& work)
    {
        if (m_calls.size() % blockSize == 0)
            m_blocks.push_back({m_trace->apiCalls().start[call], Work{}, m_pieces});
        m_blocks.back().work.add(work);
        m_pieces += work.pieces;
        m_calls.push_back(call);
    }

    void freeze()
    {
        m_levels.assign(1, {});
        for (std::size_t i = 0; (i + 1) * groupSize <= m_blocks.size(); ++i) // a rest is never a whole group
            m_levels[0].push_back(spanOfBlocks(i * groupSize, (i + 1) * groupSize));
        // Level k holds the union over 2^k neighbours, so any run is the union of two of them.
        const std::size_t groups = m_levels[0].size();
        for (std::size_t width = 2; width <= groups; width *= 2) {
            const std::vector<TimeRange>& half = m_levels.back();
            std::vector<TimeRange> level(groups - width + 1);
            for (std::size_t i = 0; i < level.size(); ++i)
                level[i] = half[i].unitedWith(half[i + width / 2]);
            m_levels.push_back(std::move(level));
        }
    }

    /// The work of the calls that start inside `window`.
    Work within(TimeRange window) const
    {
        const std::size_t first = firstCall([&](Ns start) { return start >= window.start; });
        const std::size_t last = firstCall([&](Ns start) { return start > window.end; });
        Work work;
        if (first >= last)
            return work;
        const std::size_t firstBlock = (first + blockSize - 1) / blockSize;
        const std::size_t lastBlock = last / blockSize;
        if (firstBlock >= lastBlock) {
            addCalls(first, last, work);
            return work;
        }
        addCalls(first, firstBlock * blockSize, work);
        work.add({spanOfRun(firstBlock, lastBlock), piecesBefore(lastBlock) - piecesBefore(firstBlock)});
        addCalls(lastBlock * blockSize, last, work);
        return work;
    }

private:
    static constexpr std::size_t blockSize = 16; ///< calls
    static constexpr std::size_t groupSize = 16; ///< blocks

    struct Block {
        Ns start; ///< of its first call
        Work work;
        std::uint64_t piecesBefore;
    };

    std::uint64_t piecesBefore(std::size_t block) const
    {
        return block < m_blocks.size() ? m_blocks[block].piecesBefore : m_pieces;
    }

    /// The first call whose start satisfies `holds`, which is monotonic.
    template <typename Holds> std::size_t firstCall(Holds holds) const
    {
        const auto block = static_cast<std::size_t>(
            std::ranges::partition_point(m_blocks, [&](const Block& b) { return !holds(b.start); })
            - m_blocks.begin());
        if (block == 0)
            return 0;
        const auto& start = m_trace->apiCalls().start;
        std::size_t call = (block - 1) * blockSize + 1;
        const std::size_t end = std::min(block * blockSize, m_calls.size());
        while (call < end && !holds(start[m_calls[call]]))
            ++call;
        return call;
    }

    void addCalls(std::size_t first, std::size_t last, Work& work) const
    {
        for (std::size_t i = first; i < last; ++i) {
            m_trace->visitWork(m_calls[i], [&](EventRef event) {
                if (isGpuWork(event.kind) && m_trace->track(m_trace->trackOf(event)).device == m_device)
                    work.add({m_trace->range(event), 1});
            });
        }
    }

    TimeRange spanOfBlocks(std::size_t first, std::size_t last) const
    {
        TimeRange span = nothing;
        for (std::size_t i = first; i < last; ++i)
            span = span.unitedWith(m_blocks[i].work.span);
        return span;
    }

    TimeRange spanOfRun(std::size_t first, std::size_t last) const
    {
        const std::size_t firstGroup = (first + groupSize - 1) / groupSize;
        const std::size_t lastGroup = last / groupSize;
        if (firstGroup >= lastGroup)
            return spanOfBlocks(first, last);
        const std::size_t level = static_cast<std::size_t>(std::bit_width(lastGroup - firstGroup)) - 1;
        const TimeRange groups
            = m_levels[level][firstGroup].unitedWith(m_levels[level][lastGroup - (std::size_t{1} << level)]);
        return groups.unitedWith(spanOfBlocks(first, firstGroup * groupSize))
            .unitedWith(spanOfBlocks(lastGroup * groupSize, last));
    }

    const Trace* m_trace;
    std::int32_t m_device;
    std::uint64_t m_pieces = 0;
    std::vector<EventIndex> m_calls;
    std::vector<Block> m_blocks;
    std::vector<std::vector<TimeRange>> m_levels; ///< over groups of blocks
};

/// Calls of a thread that started GPU work, by start.
std::vector<EventIndex> callsWithWork(
    const Trace& trace, const std::vector<const Track*>& tracks, const std::stop_token& stop)
{
    const EventTable& api = trace.apiCalls();
    const auto& firstWork = trace.links->firstWork;
    std::vector<EventIndex> calls;
    std::size_t number = 0;
    for (const Track* const track : tracks) {
        const auto ofTrack = std::span(firstWork).subspan(track->firstEvent, track->eventCount);
        number += ofTrack.size() - static_cast<std::size_t>(std::ranges::count(ofTrack, noIndex));
    }
    calls.reserve(number);
    for (const Track* const track : tracks) {
        for (const EventIndex i : eventsOf(*track, stop)) {
            if (firstWork[i] != noIndex)
                calls.push_back(i);
        }
    }
    sortRuns(
        calls,
        [&](EventIndex a, EventIndex b) {
            return api.start[a] != api.start[b] ? api.start[a] < api.start[b] : a < b;
        },
        stop);
    return calls;
}

/// The work that calls of one thread started, by device.
std::map<std::int32_t, WorkOfCalls> workOfThread(
    const Trace& trace, const std::vector<const Track*>& tracks, const std::stop_token& stop)
{
    const std::vector<EventIndex> calls = callsWithWork(trace, tracks, stop);
    std::map<std::int32_t, WorkOfCalls> devices;
    std::vector<std::pair<std::int32_t, Work>> ofCall;
    for (const EventIndex call : stoppableItems(calls, stop)) {
        findWorkOf(trace, call, ofCall);
        for (const auto& [device, work] : ofCall) {
            if (devices.size() < maxDevices || devices.contains(device))
                devices.try_emplace(device, trace, device, calls.size()).first->second.add(call, work);
        }
    }
    for (auto& [device, work] : devices)
        work.freeze();
    return devices;
}

using WorkByDevice = std::map<std::int32_t, std::vector<const WorkOfCalls*>>;

/// Appends the projections of the ranges of `track`.
void projectTrack(const NvtxTable& nvtx, const Track& track, const WorkByDevice& devices,
    const std::stop_token& stop, std::vector<RangeProjection>& projections)
{
    for (const auto& [device, threads] : devices) {
        for (const EventIndex i : eventsOf(track, stop)) {
            if (nvtx.attributesOf(i).eventType == nvtxMark)
                continue;
            Work within;
            for (const WorkOfCalls* const work : threads)
                within.add(work->within(nvtx.range(i)));
            if (within.pieces > 0)
                projections.push_back({i, device, within.span, within.pieces});
        }
    }
}

} // namespace

std::vector<RangeProjection> projectRanges(
    const Trace& trace, const std::stop_token& stop, ProjectedCalls calls)
{
    std::vector<RangeProjection> projections;
    const NvtxTable& nvtx = trace.nvtx();
    if (!trace.links || nvtx.empty())
        return projections;
    std::map<GlobalId, std::vector<const Track*>> apiTracks;
    for (const Track& track : trace.apiCalls().tracks)
        apiTracks[track.owner].push_back(&track);
    std::map<GlobalId, std::vector<GlobalId>> helpers; // by the thread that they work for
    if (calls == ProjectedCalls::Helpers) {
        const HelperThreads all(trace);
        for (const auto& [thread, tracks] : apiTracks) {
            if (const auto leader = all.worksFor(thread))
                helpers[*leader].push_back(thread);
        }
    }
    const auto threadsOf = [&](GlobalId owner) {
        const auto found = helpers.find(owner);
        std::vector<GlobalId> threads = found != helpers.end() ? found->second : std::vector<GlobalId>();
        if (apiTracks.contains(owner))
            threads.push_back(owner);
        return threads;
    };
    std::map<GlobalId, std::vector<const Track*>> ranges;
    for (const Track& track : nvtx.tracks) {
        if (apiTracks.contains(track.owner) || helpers.contains(track.owner))
            ranges[track.owner].push_back(&track);
    }
    // The work of a thread's calls is needed for its own ranges only.
    std::vector<GlobalId> owners;
    for (const auto& [owner, tracks] : ranges)
        owners.push_back(owner);
    std::vector<std::vector<RangeProjection>> ofOwners(owners.size());
    handOut(threadsFor(nvtx.size() + trace.apiCalls().size()), owners.size(), [&](std::size_t i) {
        std::vector<std::map<std::int32_t, WorkOfCalls>> ofThreads;
        for (const GlobalId thread : threadsOf(owners[i]))
            ofThreads.push_back(workOfThread(trace, apiTracks.at(thread), stop));
        WorkByDevice devices;
        for (const auto& ofThread : ofThreads) {
            for (const auto& [device, work] : ofThread) {
                if (devices.size() < maxDevices || devices.contains(device))
                    devices[device].push_back(&work);
            }
        }
        for (const Track* const track : ranges.at(owners[i]))
            projectTrack(nvtx, *track, devices, stop, ofOwners[i]);
    });
    for (auto& ofOwner : ofOwners) {
        projections.insert(projections.end(), ofOwner.begin(), ofOwner.end());
        release(ofOwner);
    }
    sortRuns(
        projections,
        [](const RangeProjection& a, const RangeProjection& b) {
            return std::pair(a.range, a.device) < std::pair(b.range, b.device);
        },
        stop);
    return projections;
}

std::shared_ptr<const EventTable> projectNvtx(const Trace& trace, const std::stop_token& stop)
{
    TableBuilder all(EventKind::NvtxProjected);
    const NvtxTable& nvtx = trace.nvtx();
    const std::vector<RangeProjection> projections = projectRanges(trace, stop, ProjectedCalls::Helpers);
    all.reserve(projections.size());
    TrackCursor tracks(nvtx);
    for (const RangeProjection& projection : stoppableItems(projections, stop)) {
        const Track& from = tracks.of(projection.range);
        TrackKey key{.owner = from.owner, .device = projection.device, .family = from.family};
        all.add(all.track(key), projection.projected.start, projection.projected.end,
            nvtx.name[projection.range], 0);
        all.addAttribute(projection.range);
    }
    return finish(all);
}

std::vector<EventRef> projectionsOf(const Trace& trace, EventIndex range)
{
    const EventTable& projected = trace.table(EventKind::NvtxProjected);
    std::vector<EventRef> found;
    if (projected.empty())
        return found;
    const Track& from = trace.nvtx().trackOf(range);
    for (const Track& track : projected.tracks) {
        if (track.owner != from.owner || track.family != from.family)
            continue;
        const EventIndex end = track.firstEvent + track.eventCount;
        for (EventIndex i = track.firstEvent; i < end; ++i) {
            if (projected.attribute[i] == range)
                found.push_back({EventKind::NvtxProjected, i});
        }
    }
    std::ranges::sort(found, {}, [&](EventRef event) { return projected.start[event.index]; });
    return found;
}

} // namespace warpline
