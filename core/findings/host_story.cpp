#include "core/findings/host_story.h"

#include "core/base/share.h"
#include "core/findings/host_activity.h"
#include "core/findings/sampled_functions.h"

#include <fmt/format.h>

namespace warpline {

namespace {

constexpr double worthTelling = 0.3; ///< of the time asked about
constexpr std::size_t namesShown = 3;

Ns sumOf(const TimeByName& sums)
{
    Ns all = 0;
    for (const auto& [name, time] : sums)
        all += time;
    return all;
}

/// Adds the time of `parts` that the outermost events of `thread` in `table` cover, by name.
void addOutermost(const EventTable& table, GlobalId thread, const Intervals& parts, TimeByName& sums)
{
    for (const Track& track : table.tracks) {
        if (track.owner != thread || track.laneCount == 0)
            continue;
        const Lane& lane = table.lanes[track.firstLane];
        for (const TimeRange& part : parts) {
            const auto [first, last] = table.touching(lane, part);
            for (EventIndex i = first; i < last; ++i)
                sums[table.name[i]] += table.range(i).clippedTo(part).duration();
        }
    }
}

} // namespace

std::string hostStory(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    const Ns all = totalTime(parts);
    if (all <= 0)
        return {};
    TimeByName sums;
    addOwnRanges(trace, thread, parts, sums, stop);
    if (shareOf(sumOf(sums), all) >= worthTelling)
        return fmt::format("Its NVTX ranges in that time: {}.", longestOf(trace, sums, namesShown));
    sums.clear();
    addCommunication(trace, thread, parts, sums, stop);
    if (shareOf(sumOf(sums), all) >= worthTelling)
        return fmt::format("It is in calls of MPI, UCX or NVSHMEM: {}.", longestOf(trace, sums, namesShown));
    if (const std::string sampled = sampleText(samplesIn(trace, thread, parts, stop)); !sampled.empty())
        return sampled + ".";
    sums.clear();
    addOutermost(trace.table(EventKind::OsRuntime), thread, parts, sums);
    if (shareOf(sumOf(sums), all) >= worthTelling)
        return fmt::format("It is in calls of the operating system: {}.", longestOf(trace, sums, namesShown));
    return {};
}

} // namespace warpline
