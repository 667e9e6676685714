#include "core/derive/nvtx_projection.h"

#include "core/store/table_builder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace warpline {

namespace {

constexpr TimeRange nothing{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};

/// First start, last end and number of pieces of GPU work over any run of a thread's calls, for one device.
class WorkOfCalls {
public:
    void add(Ns callStart, TimeRange work, std::uint64_t pieces)
    {
        m_callStart.push_back(callStart);
        m_levels[0].push_back(work);
        m_piecesBefore.push_back(m_piecesBefore.back() + pieces);
    }

    void freeze()
    {
        // Level k holds the union over 2^k neighbours, so any run is the union of two of them.
        const std::size_t n = m_callStart.size();
        for (std::size_t width = 2; width <= n; width *= 2) {
            const std::vector<TimeRange>& half = m_levels.back();
            std::vector<TimeRange> level(n - width + 1);
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
        const std::size_t level = static_cast<std::size_t>(std::bit_width(last - first)) - 1;
        projection.projected
            = m_levels[level][first].unitedWith(m_levels[level][last - (std::size_t{1} << level)]);
        projection.work = m_piecesBefore[last] - m_piecesBefore[first];
        return projection;
    }

private:
    std::vector<Ns> m_callStart;
    std::vector<std::vector<TimeRange>> m_levels{1};
    std::vector<std::uint64_t> m_piecesBefore{0};
};

/// Calls of one thread that started GPU work, by device.
std::map<std::int32_t, WorkOfCalls> workOfThread(const Trace& trace, const std::vector<const Track*>& tracks)
{
    const EventTable& api = trace.apiCalls();
    std::vector<EventIndex> calls;
    for (const Track* const track : tracks) {
        for (EventIndex i = track->firstEvent; i < track->firstEvent + track->eventCount; ++i) {
            if (trace.links->firstWork[i] != noIndex)
                calls.push_back(i);
        }
    }
    std::ranges::stable_sort(calls, {}, [&](EventIndex i) { return api.start[i]; });
    std::map<std::int32_t, WorkOfCalls> devices;
    std::map<std::int32_t, std::pair<TimeRange, std::uint64_t>> ofCall;
    for (const EventIndex call : calls) {
        ofCall.clear();
        for (const EventRef& work : trace.workOf({EventKind::ApiCall, call})) {
            if (!isGpuWork(work.kind))
                continue;
            const std::int32_t device = trace.track(trace.trackOf(work)).device;
            auto& [range, pieces] = ofCall.try_emplace(device, nothing, 0).first->second;
            range = range.unitedWith(trace.range(work));
            ++pieces;
        }
        for (const auto& [device, work] : ofCall)
            devices[device].add(api.start[call], work.first, work.second);
    }
    for (auto& [device, work] : devices)
        work.freeze();
    return devices;
}

} // namespace

std::vector<RangeProjection> projectRanges(const Trace& trace)
{
    std::vector<RangeProjection> projections;
    const NvtxTable& nvtx = trace.nvtx();
    if (!trace.links || nvtx.empty())
        return projections;
    std::map<GlobalId, std::vector<const Track*>> apiTracks;
    for (const Track& track : trace.apiCalls().tracks)
        apiTracks[track.owner].push_back(&track);
    std::map<GlobalId, std::map<std::int32_t, WorkOfCalls>> threads;
    for (const Track& track : nvtx.tracks) {
        const auto api = apiTracks.find(track.owner);
        if (api == apiTracks.end())
            continue;
        if (!threads.contains(track.owner))
            threads.emplace(track.owner, workOfThread(trace, api->second));
        for (const auto& [device, work] : threads[track.owner]) {
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                if (nvtx.attributesOf(i).eventType == 34)
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
    std::ranges::sort(projections, {}, [](const RangeProjection& p) { return std::pair(p.range, p.device); });
    return projections;
}

std::shared_ptr<const EventTable> projectNvtx(const Trace& trace)
{
    TableBuilder all(EventKind::NvtxProjected);
    const NvtxTable& nvtx = trace.nvtx();
    for (const RangeProjection& projection : projectRanges(trace)) {
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

} // namespace warpline
