#include "core/findings/migrations.h"

namespace warpline {

Intervals migrationTime(const Trace& trace, GlobalId process, TimeRange window)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<TimeRange> ranges;
    for (const Track& track : copies.tracks) {
        if (track.owner != process)
            continue;
        for (const Lane& lane : copies.lanesOf(track)) {
            const auto [first, last] = copies.touching(lane, window);
            for (EventIndex i = first; i < last; ++i) {
                if (isFaultMigration(copies.copy(i)))
                    ranges.push_back(copies.range(i));
            }
        }
    }
    return unionOf(std::move(ranges), window);
}

} // namespace warpline
