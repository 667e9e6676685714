#include "core/findings/migrations.h"

#include "core/base/stop.h"

namespace warpline {

Intervals migrationTime(const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> ranges;
    for (const Track& track : copies.tracks) {
        if (track.owner != process)
            continue;
        for (const Lane& lane : copies.lanesOf(track)) {
            const auto [first, last] = copies.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                if (isFaultMigration(copies.copy(i)))
                    ranges.push_back(copies.range(i));
            }
        }
    }
    return unionOf(std::move(ranges), window);
}

} // namespace warpline
