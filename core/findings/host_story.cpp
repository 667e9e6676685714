#include "core/findings/host_story.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/host_activity.h"
#include "core/findings/idle_places.h"
#include "core/findings/library_loads.h"
#include "core/findings/sampled_functions.h"
#include "core/glossary/os_call_words.h"
#include "core/store/event_loops.h"
#include "core/store/range_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

namespace warpline {

namespace {

constexpr double worthTelling = 0.3; ///< of the time asked about
constexpr std::size_t namesShown = 3;

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

/// "It is on a CPU for 121.5 ms of that." by the thread states; empty: there are none.
std::string stateText(const Trace& trace, GlobalId thread, const Intervals& parts)
{
    TimeByName sums;
    addOutermost(trace.table(EventKind::ThreadState), thread, parts, sums);
    const Ns all = totalTime(parts);
    Ns running = 0;
    for (const auto& [name, time] : sums)
        running += trace.text(name) == "Running" ? time : 0;
    return shareOf(sumOf(sums), all) < worthTelling
        ? std::string()
        : fmt::format("It is on a CPU for {} of that.", formatDuration(std::min(running, all)));
}

/// "In that time it loads shared libraries 40 times for 1.619 s in all (dlopen), _C.so for 730.8 ms." by what
/// nsys saw of dlopen; empty: that takes little of `parts`.
std::string librariesText(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    const EventTable& table = trace.table(EventKind::Overhead);
    TimeByName sums;
    std::uint64_t count = 0;
    for (const EventIndex i : libraryLoads(trace, stop)) {
        // Once, though the profiler's own time may cut it in pieces.
        const Ns time = table.trackOf(i).owner == thread ? totalTime(parts, table.range(i)) : Ns{0};
        if (time <= 0)
            continue;
        sums[table.name[i]] += time;
        ++count;
    }
    if (shareOf(sumOf(sums), totalTime(parts)) < minHostShare)
        return {};
    const auto longest = std::ranges::max_element(sums, {}, [](const auto& each) { return each.second; });
    return fmt::format("In that time it loads shared libraries {} for {} in all (dlopen), {} for {}.",
        counted(count, "time"), formatDuration(sumOf(sums)), toUtf8(libraryIn(trace.text(longest->first))),
        formatDuration(longest->second));
}

} // namespace

void addOsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums)
{
    addOutermost(trace.table(EventKind::OsRuntime), thread, parts, sums);
}

std::string osCallsText(const Trace& trace, GlobalId thread, const Intervals& parts)
{
    TimeByName sums;
    addOsCalls(trace, thread, parts, sums);
    return shareOf(sumOf(sums), totalTime(parts)) < worthTelling
        ? std::string()
        : fmt::format("It is in calls of the operating system: {}.",
            longestOf(trace, sums, namesShown, wordsForOsCall));
}

Ending ending(const Trace& trace, GlobalId thread, const Intervals& after, const std::stop_token& stop)
{
    // Own code makes no calls; only samples tell that it does not run. A part of a report ends where it is
    // cut.
    if (thread == 0 || after.empty() || trace.table(EventKind::Sample).empty()
        || after.back().end < trace.session.end)
        return {};
    const TimeRange all{after.front().start, after.back().end};
    Ns last = all.start;
    for (const EventKind kind :
        {EventKind::ApiCall, EventKind::OsRuntime, EventKind::Sample, EventKind::Nvtx, EventKind::Library}) {
        const EventTable& table = trace.table(kind);
        for (const Track& track : table.tracks) {
            if (processOf(track.owner) != processOf(thread) || track.device >= 0)
                continue;
            for (const Lane& lane : table.lanesOf(track)) {
                const auto [first, end] = table.touching(lane, all);
                for (const EventIndex i : stoppable(first, end, stop))
                    last = std::max(last, std::min(table.end(i), all.end));
            }
        }
    }
    Ending found{totalTime(after, {last, all.end}), {}};
    if (found.time * 2 > totalTime(after))
        found.text = fmt::format(" For {}, after its last call and sample, the process only ends: driver and "
                                 "system take back what it had.",
            formatDuration(found.time));
    else
        found = {};
    return found;
}

Intervals waitsOfProcess(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    const EventTable& states = trace.table(EventKind::ThreadState);
    std::vector<TimeRange> waiting;
    std::vector<TimeRange> running;
    for (const Track& track : states.tracks) {
        if (processOf(track.owner) != processOf(thread))
            continue;
        for (const Lane& lane : states.lanesOf(track)) {
            for (const TimeRange& part : parts) {
                const auto [first, last] = states.touching(lane, part);
                for (const EventIndex i : stoppable(first, last, stop)) {
                    if (trace.text(states.name[i]) == "Running")
                        running.push_back(states.range(i));
                    else if (track.owner == thread)
                        waiting.push_back(states.range(i).clippedTo(part));
                }
            }
        }
    }
    if (waiting.empty())
        return {};
    const TimeRange all{parts.front().start, parts.back().end};
    return difference(unionOf(std::move(waiting), all, stop), unionOf(std::move(running), all, stop));
}

HostStory hostStory(
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
    // Elsewhere a range is told with what is in it: the words say which of the two it is, where it matters.
    constexpr double almostAll = 0.95;
    const Ns longest = sums.empty() ? 0 : std::ranges::max(sums | std::views::values);
    const bool isNested = shareOf(longest, sumOf(sums)) < almostAll && hasNestedRanges(trace, thread, parts);
    add(fmt::format("Its {} in that time{}", rangesWordOf(trace),
            isNested ? ", each without the ranges inside it" : ""),
        sums, worthTelling);
    sums.clear();
    addCommunication(trace, thread, parts, sums, stop);
    add("It is in calls of " + recordedCommunication(trace), sums, minHostShare);
    if (!text.empty())
        return {text};
    // CPU samples are of the time on a CPU alone: half of a few of them is no half of a long wait, and the
    // states of the thread are told beside them. Samples of Python are also of threads that wait.
    const std::string sampled = sampleText(samplesIn(trace, thread, parts, stop));
    text = sampled.empty() ? osCallsText(trace, thread, parts) : std::string();
    sums.clear();
    if (!text.empty())
        addOsCalls(trace, thread, parts, sums);
    const std::vector<NamedLength> calls = longestNamed(trace, sums, 1);
    const bool namesDriver = !calls.empty() && calls.front().name == "ioctl";
    text += (text.empty() ? "" : " ") + stateText(trace, thread, parts);
    if (!sampled.empty())
        text += fmt::format("{}{}.", text.empty() ? "" : " ", sampled);
    if (const std::string loads = librariesText(trace, thread, parts, stop); !loads.empty())
        text += (text.empty() || text.back() == ' ' ? "" : " ") + loads;
    while (text.ends_with(' '))
        text.pop_back();
    return {text, namesDriver};
}

} // namespace warpline
