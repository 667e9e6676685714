#include "core/derive/nvtx_projection.h"

#include "core/base/sorted_runs.h"
#include "core/store/event_loops.h"
#include "core/store/nvtx_types.h"
#include "core/store/table_builder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace warpline {

namespace {

constexpr TimeRange nothing{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};

/// First start, last end and number of pieces of GPU work over any run of a thread's calls, for one device.
/// The sparse table is over blocks of calls: over single calls it would be many times the trace itself.
class WorkOfCalls {
public:
    /// Makes room for `calls` calls.
    void reserve(std::size_t calls)
    {
        m_callStart.reserve(calls);
        m_work.reserve(calls);
        m_piecesBefore.reserve(calls + 1);
    }

    void add(Ns callStart, TimeRange work, std::uint32_t pieces)
    {
        m_callStart.push_back(callStart);
        m_work.push_back(work);
        m_piecesBefore.push_back(m_piecesBefore.back() + pieces);
    }

    void freeze()
    {
        const std::size_t blocks = m_work.size() / blockSize; // a rest is never a whole block
        m_levels.assign(1, std::vector<TimeRange>(blocks));
        for (std::size_t i = 0; i < blocks; ++i)
            m_levels[0][i] = unionOfCalls(i * blockSize, (i + 1) * blockSize);
        // Level k holds the union over 2^k neighbours, so any run is the union of two of them.
        for (std::size_t width = 2; width <= blocks; width *= 2) {
            const std::vector<TimeRange>& half = m_levels.back();
            std::vector<TimeRange> level(blocks - width + 1);
            for (std::size_t i = 0; i < level.size(); ++i)
                level[i] = half[i].unitedWith(half[i + width / 2]);
            m_levels.push_back(std::move(level));
        }
    }

    /// Of the calls that start inside `window`.
    RangeProjection within(TimeRange window) const
    {
        RangeProjection projection;
        const auto first = static_cast<std::size_t>(
            std::ranges::lower_bound(m_callStart, window.start) - m_callStart.begin());
        const auto last = static_cast<std::size_t>(
            std::ranges::upper_bound(m_callStart, window.end) - m_callStart.begin());
        if (first >= last)
            return projection;
        projection.projected = unionOfRun(first, last);
        projection.work = m_piecesBefore[last] - m_piecesBefore[first];
        return projection;
    }

private:
    static constexpr std::size_t blockSize = 32;

    TimeRange unionOfCalls(std::size_t first, std::size_t last) const
    {
        TimeRange work = nothing;
        for (std::size_t i = first; i < last; ++i)
            work = work.unitedWith(m_work[i]);
        return work;
    }

    TimeRange unionOfRun(std::size_t first, std::size_t last) const
    {
        const std::size_t firstBlock = (first + blockSize - 1) / blockSize;
        const std::size_t lastBlock = last / blockSize;
        if (firstBlock >= lastBlock)
            return unionOfCalls(first, last);
        const std::size_t level = static_cast<std::size_t>(std::bit_width(lastBlock - firstBlock)) - 1;
        const TimeRange blocks
            = m_levels[level][firstBlock].unitedWith(m_levels[level][lastBlock - (std::size_t{1} << level)]);
        return blocks.unitedWith(unionOfCalls(first, firstBlock * blockSize))
            .unitedWith(unionOfCalls(lastBlock * blockSize, last));
    }

    std::vector<Ns> m_callStart;
    std::vector<TimeRange> m_work;
    std::vector<std::uint32_t> m_piecesBefore{0};
    std::vector<std::vector<TimeRange>> m_levels;
};

/// Calls of a thread that started GPU work, by start.
std::vector<EventIndex> callsWithWork(
    const Trace& trace, const std::vector<const Track*>& tracks, const std::stop_token& stop)
{
    const EventTable& api = trace.apiCalls();
    std::vector<EventIndex> calls;
    for (const Track* const track : tracks) {
        for (const EventIndex i : eventsOf(*track, stop)) {
            if (trace.links->firstWork[i] != noIndex)
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
    const EventTable& api = trace.apiCalls();
    const std::vector<EventIndex> calls = callsWithWork(trace, tracks, stop);
    std::map<std::int32_t, WorkOfCalls> devices;
    struct OfCall {
        std::int32_t device;
        TimeRange work;
        std::uint32_t pieces;
    };
    std::vector<OfCall> ofCall;
    for (const EventIndex call : stoppableItems(calls, stop)) {
        ofCall.clear();
        trace.visitWork(call, [&](EventRef work) {
            if (!isGpuWork(work.kind))
                return;
            const std::int32_t device = trace.track(trace.trackOf(work)).device;
            auto known = std::ranges::find(ofCall, device, &OfCall::device);
            if (known == ofCall.end())
                known = ofCall.insert(known, {device, nothing, 0});
            known->work = known->work.unitedWith(trace.range(work));
            ++known->pieces;
        });
        for (const OfCall& part : ofCall) {
            const auto [device, added] = devices.try_emplace(part.device);
            if (added)
                device->second.reserve(calls.size());
            device->second.add(api.start[call], part.work, part.pieces);
        }
    }
    for (auto& [device, work] : devices)
        work.freeze();
    return devices;
}

/// Appends the projections of the ranges of `track`.
void projectTrack(const NvtxTable& nvtx, const Track& track,
    const std::map<std::int32_t, WorkOfCalls>& devices, const std::stop_token& stop,
    std::vector<RangeProjection>& projections)
{
    for (const auto& [device, work] : devices) {
        for (const EventIndex i : eventsOf(track, stop)) {
            if (nvtx.attributesOf(i).eventType == nvtxMark)
                continue;
            RangeProjection projection = work.within(nvtx.range(i));
            if (projection.work == 0)
                continue;
            projection.range = i;
            projection.device = device;
            projections.push_back(projection);
        }
    }
}

} // namespace

std::vector<RangeProjection> projectRanges(const Trace& trace, const std::stop_token& stop)
{
    std::vector<RangeProjection> projections;
    const NvtxTable& nvtx = trace.nvtx();
    if (!trace.links || nvtx.empty())
        return projections;
    std::map<GlobalId, std::vector<const Track*>> apiTracks;
    for (const Track& track : trace.apiCalls().tracks)
        apiTracks[track.owner].push_back(&track);
    std::map<GlobalId, std::vector<const Track*>> ranges;
    for (const Track& track : nvtx.tracks)
        ranges[track.owner].push_back(&track);
    // One thread at a time: the work of its calls is needed for its own ranges only.
    for (const auto& [owner, tracks] : ranges) {
        const auto api = apiTracks.find(owner);
        if (api == apiTracks.end())
            continue;
        const auto devices = workOfThread(trace, api->second, stop);
        for (const Track* const track : tracks)
            projectTrack(nvtx, *track, devices, stop, projections);
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
    const std::vector<RangeProjection> projections = projectRanges(trace, stop);
    for (const RangeProjection& projection : stoppableItems(projections, stop)) {
        const Track& from = nvtx.trackOf(projection.range);
        TrackKey key;
        key.owner = from.owner;
        key.device = projection.device;
        key.family = from.family;
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
