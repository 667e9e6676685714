#include "core/findings/ready_input.h"

#include "core/coverage/intervals.h"
#include "core/findings/host_activity.h"
#include "core/store/event_loops.h"

#include <limits>
#include <unordered_map>

namespace warpline {

PackedIntervals dataLoadingTimes(const Trace& trace, GlobalId process, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    std::unordered_map<StringId, bool> loads;
    std::vector<TimeRange> ranges;
    for (const Track& track : nvtx.tracks) {
        if (track.device >= 0 || processOf(track.owner) != process)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            const auto [place, added] = loads.try_emplace(nvtx.name[i], false);
            if (added)
                place->second = isDataLoading(trace.text(nvtx.name[i]));
            if (place->second && nvtx.duration[i] > 0)
                ranges.push_back(nvtx.range(i));
        }
    }
    return unionOf(std::move(ranges), {0, std::numeric_limits<Ns>::max()}, stop);
}

} // namespace warpline
