#include "core/findings/host_story.h"

#include "core/base/share.h"
#include "core/findings/host_activity.h"
#include "core/findings/sampled_functions.h"

#include <fmt/format.h>

#include <string_view>

namespace warpline {

namespace {

constexpr double worthTelling = 0.3; ///< of the time asked about
constexpr double worthNaming = 0.1; ///< what says by its name why the host does nothing else: MPI_Init
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
    std::string text;
    const auto add = [&](std::string_view begin, const TimeByName& sums, double least) {
        if (shareOf(sumOf(sums), all) >= least)
            text += fmt::format(
                "{}{}: {}.", text.empty() ? "" : " ", begin, longestOf(trace, sums, namesShown));
    };
    TimeByName sums;
    addOwnRanges(trace, thread, parts, sums, stop);
    add("Its NVTX ranges in that time", sums, worthTelling);
    sums.clear();
    addCommunication(trace, thread, parts, sums, stop);
    add("It is in calls of MPI, UCX or NVSHMEM", sums, worthNaming);
    if (!text.empty())
        return text;
    if (const std::string sampled = sampleText(samplesIn(trace, thread, parts, stop)); !sampled.empty())
        return sampled + ".";
    sums.clear();
    addOutermost(trace.table(EventKind::OsRuntime), thread, parts, sums);
    add("It is in calls of the operating system", sums, worthTelling);
    return text;
}

} // namespace warpline
