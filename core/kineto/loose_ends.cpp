#include "core/kineto/loose_ends.h"

#include "core/store/recorder.h"

#include <algorithm>
#include <tuple>

namespace warpline {

namespace {

/// Limit of searches times lanes: more would take minutes, and no profiler writes that.
constexpr std::size_t maxSteps = 50'000'000;

/// The calls of one lane around a time range.
struct Around {
    bool holds = false; ///< a call holds the span whole
    bool touches = false; ///< a call reaches into it
    Ns next = 0; ///< start of the first call behind it
    bool hasNext = false;
};

Around aroundIn(const EventTable& calls, const Lane& lane, TimeRange span)
{
    Around found;
    const auto first = calls.start.begin() + lane.first;
    const auto last = first + lane.count;
    const auto behind = std::lower_bound(first, last, span.end);
    if (behind != last) {
        found.hasNext = true;
        found.next = *behind;
    }
    if (behind != first) {
        const auto before = static_cast<EventIndex>(std::prev(behind) - calls.start.begin());
        found.touches = calls.end(before) > span.start;
        found.holds = calls.start[before] <= span.start && calls.end(before) >= span.end;
    }
    return found;
}

/// The same of all calls of `track`.
Around aroundIn(const EventTable& calls, const Track& track, TimeRange span)
{
    Around found;
    for (const Lane& lane : calls.lanesOf(track)) {
        const Around here = aroundIn(calls, lane, span);
        found.holds = found.holds || here.holds;
        found.touches = found.touches || here.touches;
        if (here.hasNext && (!found.hasNext || here.next < found.next)) {
            found.hasNext = true;
            found.next = here.next;
        }
    }
    return found;
}

GlobalId threadHeldUp(const EventTable& calls, TimeRange span)
{
    GlobalId next = 0;
    Ns soonest = 0;
    for (const Track& track : calls.tracks) {
        const Around around = aroundIn(calls, track, span);
        if (around.holds)
            return track.owner;
        if (around.hasNext && !around.touches && (next == 0 || around.next < soonest)) {
            next = track.owner;
            soonest = around.next;
        }
    }
    return next;
}

/// The innermost operator of `thread` that begins at `time`; noIndex: none does.
EventIndex operatorAt(const NvtxTable& ranges, GlobalId thread, Ns time)
{
    EventIndex found = noIndex;
    for (const Track& track : ranges.tracks) {
        if (track.owner != thread || track.device >= 0)
            continue;
        for (const Lane& lane : ranges.lanesOf(track)) {
            const auto first = ranges.start.begin() + lane.first;
            const auto last = first + lane.count;
            const auto place = std::lower_bound(first, last, time);
            if (place == last || *place != time)
                continue;
            const auto event = static_cast<EventIndex>(place - ranges.start.begin());
            if (found == noIndex || ranges.duration[event] < ranges.duration[found])
                found = event;
        }
    }
    return found;
}

} // namespace

void LooseEnds::append(LooseEnds&& other)
{
    overheads.insert(overheads.end(), other.overheads.begin(), other.overheads.end());
    awaited.merge(other.awaited);
    recordCalls.merge(other.recordCalls);
    recorded.merge(other.recorded);
    passes.insert(passes.end(), other.passes.begin(), other.passes.end());
    launchedKernels.merge(other.launchedKernels);
}

void placeOverheads(
    std::vector<ProfilerWork>& overheads, const EventTable& calls, Ns zero, const StringPool& pool)
{
    if (calls.empty() || overheads.size() > maxSteps / (calls.lanes.size() + 1))
        return;
    for (ProfilerWork& work : overheads) {
        if (isProfilersOwn(pool[work.name]))
            work.thread = threadHeldUp(calls, {work.start - zero, work.end - zero});
    }
}

void joinPasses(std::vector<PassEnd>& passes, NvtxTable& ranges, Ns zero)
{
    if (passes.empty() || passes.size() > maxSteps / (ranges.lanes.size() + 1))
        return;
    // Processes number their flows on their own.
    const auto flowOf = [](const PassEnd& end) { return std::tuple(processOf(end.thread), end.id); };
    std::ranges::sort(passes, {},
        [&](const PassEnd& end) { return std::tuple(flowOf(end), !end.begins, end.thread, end.time); });
    ranges.correlation.assign(ranges.size(), 0);
    std::uint32_t numbers = 0;
    EventIndex forward = noIndex;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        if (i == 0 || flowOf(passes[i]) != flowOf(passes[i - 1]))
            forward = noIndex;
        const EventIndex event = operatorAt(ranges, passes[i].thread, passes[i].time - zero);
        if (event == noIndex)
            continue;
        if (passes[i].begins) {
            forward = event;
        } else if (forward != noIndex && ranges.correlation[event] == 0) {
            std::uint32_t& number = ranges.correlation[forward];
            number = number != 0 ? number : ++numbers;
            ranges.correlation[event] = number;
        }
    }
}

} // namespace warpline
