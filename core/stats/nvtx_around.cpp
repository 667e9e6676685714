#include "core/stats/nvtx_around.h"

#include "core/stats/nvtx_nesting.h"

#include <algorithm>
#include <ranges>

namespace warpline {

NvtxAround::NvtxAround(const NvtxTable& nvtx)
    : m_nvtx(nvtx)
{
    for (const Track& track : nvtx.tracks) {
        std::vector<Lane>& lanes = m_lanes[track.owner];
        const auto ofTrack = nvtx.lanesOf(track);
        lanes.insert(lanes.end(), ofTrack.begin(), ofTrack.end());
    }
}

std::vector<EventIndex> NvtxAround::of(EventIndex range) const
{
    std::vector<EventIndex> around;
    const auto lanes = m_lanes.find(m_nvtx.trackOf(range).owner);
    if (lanes == m_lanes.end() || !isClosedRange(m_nvtx, range))
        return around;
    const Ns start = m_nvtx.start[range];
    const Ns end = m_nvtx.end(range);
    for (const Lane& lane : lanes->second) {
        // Events of a lane do not overlap, so at most one of them is open at the start of the range.
        const EventIndex behind = m_nvtx.firstStartingAt(lane, start + 1);
        if (behind == lane.first)
            continue;
        const EventIndex other = behind - 1;
        if (other != range && m_nvtx.end(other) > start && m_nvtx.end(other) >= end
            && isClosedRange(m_nvtx, other) && startsOutside(m_nvtx, other, range))
            around.push_back(other);
    }
    std::ranges::sort(around, [&](EventIndex a, EventIndex b) { return startsOutside(m_nvtx, a, b); });
    return around;
}

std::string rangeStack(const NvtxTable& nvtx, const std::vector<EventIndex>& around, EventIndex range)
{
    std::string stack = ":" + std::to_string(nvtx.sourceRow[range]);
    EventIndex inner = range;
    for (const EventIndex outer : std::views::reverse(around)) {
        if (nvtx.end(outer) < nvtx.end(inner))
            continue;
        stack.insert(0, ":" + std::to_string(nvtx.sourceRow[outer]));
        inner = outer;
    }
    return stack;
}

} // namespace warpline
