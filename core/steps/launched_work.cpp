#include "core/steps/launched_work.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/store/trace.h"
#include "core/store/track_cursor.h"

#include <algorithm>

namespace warpline {

namespace {

bool startsWork(const Trace& trace, EventIndex call)
{
    return trace.links && call < trace.links->firstWork.size() && trace.links->firstWork[call] != noIndex;
}

/// Adds the work of calls [first, last), all of one lane, that start inside one of the steps `ranges`.
void addCalls(const Trace& trace, EventIndex first, EventIndex last, const std::vector<TimeRange>& ranges,
    LaunchedByDevice& devices, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    std::vector<TrackCursor> tracks; // by kind: neighbours are mostly of one stream
    for (std::size_t kind = 0; kind < deviceKindCount; ++kind)
        tracks.emplace_back(trace.table(static_cast<EventKind>(kind)));
    std::int32_t device = -1;
    std::vector<Launched>* steps = nullptr; // of `device`; addresses in the map are stable
    if (first == last)
        return;
    // The first that has not ended by then: steps do not overlap.
    std::size_t step = static_cast<std::size_t>(
        std::ranges::upper_bound(ranges, calls.start[first], {}, &TimeRange::end) - ranges.begin());
    for (const EventIndex i : stoppable(first, last, stop)) {
        if (!startsWork(trace, i))
            continue;
        while (step < ranges.size() && ranges[step].end <= calls.start[i])
            ++step;
        if (step == ranges.size())
            break;
        if (calls.start[i] < ranges[step].start)
            continue;
        trace.visitWork(i, [&](EventRef work) {
            if (!isGpuWork(work.kind))
                return;
            const std::int32_t of = tracks[indexOf(work.kind)].of(work.index).device;
            if (!steps || of != device) {
                device = of;
                steps = &devices[of];
                steps->resize(ranges.size());
            }
            (*steps)[step].add(trace.range(work));
        });
    }
}

} // namespace

void addLaunched(const Trace& trace, const Track& track, const std::vector<TimeRange>& ranges,
    LaunchedByDevice& devices, const std::stop_token& stop)
{
    constexpr std::size_t minPerThread = 1'000'000; ///< calls
    const EventTable& calls = trace.apiCalls();
    for (const Lane& lane : calls.lanesOf(track)) {
        const EventIndex first = calls.firstStartingAt(lane, ranges.front().start);
        const std::size_t count = lane.first + lane.count - first;
        std::vector<LaunchedByDevice> parts(threadsFor(count, minPerThread));
        inParallel(parts.size(), count, [&](std::size_t thread, std::size_t from, std::size_t to) {
            addCalls(trace, first + static_cast<EventIndex>(from), first + static_cast<EventIndex>(to),
                ranges, thread == 0 ? devices : parts[thread], stop);
        });
        for (const LaunchedByDevice& part : parts) {
            for (const auto& [device, steps] : part) {
                std::vector<Launched>& all = devices[device];
                all.resize(ranges.size());
                for (std::size_t i = 0; i < steps.size(); ++i)
                    all[i].add(steps[i]);
            }
        }
    }
}

} // namespace warpline
