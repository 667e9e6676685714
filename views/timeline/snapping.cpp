#include "views/timeline/snapping.h"

#include "core/store/trace.h"

#include <algorithm>
#include <cstdlib>

namespace warpline {

namespace {

constexpr std::size_t maxLanesAsked = 512; ///< in a row with more lanes, only the first of them

/// Keeps the nearest of the candidates.
struct Nearest {
    Ns time;
    Ns reach;
    std::optional<Snap> found;

    void consider(Ns at, EventId event, bool isStart)
    {
        const Ns distance = std::abs(at - time);
        const Ns best = found ? std::abs(found->time - time) : reach + 1;
        if (distance < best || (found && distance == best && isStart && !found->isStart))
            found = Snap{at, event, isStart};
    }
};

} // namespace

std::optional<Snap> nearestEdge(const Workspace& workspace, const Row& row, Ns time, Ns reach)
{
    const OpenReport& report = workspace.report(row.report);
    Nearest nearest{report.clock.toReport(time), reach, {}};
    std::size_t lanes = 0;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = report.trace->table(ref.kind);
        for (const Lane& lane : table.lanesOf(table.tracks[ref.track])) {
            if (++lanes > maxLanesAsked)
                break;
            // Starts and ends are both in order: the neighbours of the time, on either side, are enough.
            const EventIndex after = table.firstStartingAt(lane, nearest.time);
            const EventIndex last = lane.first + lane.count;
            const EventIndex begin = after > lane.first ? after - 1 : lane.first;
            for (EventIndex i = begin; i < std::min(last, after + 1); ++i)
                nearest.consider(table.start[i], {row.report, {ref.kind, i}}, true);
            const EventIndex open = table.firstEndingAfter(lane, nearest.time);
            const EventIndex ended = open > lane.first ? open - 1 : lane.first;
            for (EventIndex i = ended; i < std::min(last, open + 1); ++i)
                nearest.consider(table.end(i), {row.report, {ref.kind, i}}, false);
        }
    }
    if (nearest.found)
        nearest.found->time = report.clock.toWorkspace(nearest.found->time);
    return nearest.found;
}

} // namespace warpline
