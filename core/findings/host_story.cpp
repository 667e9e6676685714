#include "core/findings/host_story.h"

#include "core/analysis/time_by_name.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/derive/tracks_of.h"
#include "core/findings/evidence.h"
#include "core/findings/idle_places.h"
#include "core/findings/library_loads.h"
#include "core/findings/sampled_functions.h"
#include "core/glossary/os_call_words.h"
#include "core/store/event_loops.h"
#include "core/store/range_words.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

namespace warpline {

namespace {

constexpr double minStoryShare = 0.3; ///< of the time asked about
constexpr std::size_t namesShown = 3;

/// Adds the time of `parts` that the outermost events of `kind` and `thread` cover, by name.
void addOutermost(
    const Trace& trace, EventKind kind, GlobalId thread, const Intervals& parts, TimeByName& sums)
{
    const EventTable& table = trace.table(kind);
    for (const Track& track : TracksOf(trace, kind, thread)) {
        if (track.laneCount == 0)
            continue;
        const Lane& lane = table.lanes[track.firstLane];
        for (const TimeRange& part : parts) {
            const auto [first, last] = table.touching(lane, part);
            for (EventIndex i = first; i < last; ++i)
                sums[table.name[i]] += table.range(i).clippedTo(part).duration();
        }
    }
}

/// How long the thread is on a CPU, by the thread states; empty: there are none.
Message stateText(const Trace& trace, GlobalId thread, const Intervals& parts)
{
    TimeByName sums;
    addOutermost(trace, EventKind::ThreadState, thread, parts, sums);
    const Ns all = totalTime(parts);
    Ns running = 0;
    for (const auto& [name, time] : sums)
        running += trace.text(name) == "Running" ? time : 0;
    return shareOf(sumOf(sums), all) < minStoryShare
        ? Message()
        : Message("host.on_cpu", "It is on a CPU for {time} of that.",
            {{"time", Duration{std::min(running, all)}}});
}

/// The time of loading shared libraries (dlopen); empty: it is a small part of `parts`.
Message librariesText(
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
    return {"host.libraries",
        "Loading shared libraries (dlopen) takes {time} in {calls, plural, one {# call} other {# calls}}, {longest} of it "
        "for {library}.",
        {{"time", Duration{sumOf(sums)}}, {"calls", Count{count}}, {"longest", Duration{longest->second}},
            {"library", Name{toUtf8(libraryIn(trace.text(longest->first)))}}}};
}

} // namespace

std::vector<Message> longestTimes(
    const Trace& trace, const TimeByName& sums, std::size_t most, Message (*explain)(std::string_view))
{
    std::vector<Message> list;
    for (const NamedLength& each : longestNamed(trace, sums, most)) {
        const Message meaning = explain ? explain(each.name) : Message();
        list.push_back(
            Message("host.named_time", "{name} {time}{explained, select, yes { ({meaning})} other {}}",
                {{"name", Name{each.name}}, {"time", Duration{each.time}},
                    {"explained", Name{meaning.empty() ? "no" : "yes"}}, {"meaning", meaning}}));
    }
    return list;
}

void addOsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums)
{
    addOutermost(trace, EventKind::OsRuntime, thread, parts, sums);
}

Message osCallsText(const Trace& trace, GlobalId thread, const Intervals& parts)
{
    TimeByName sums;
    addOsCalls(trace, thread, parts, sums);
    return shareOf(sumOf(sums), totalTime(parts)) < minStoryShare
        ? Message()
        : Message("host.os_calls", "The thread is in system calls: {calls}.",
            {{"calls", longestTimes(trace, sums, namesShown, wordsForOsCall)}});
}

Ending ending(const Trace& trace, GlobalId thread, const Intervals& after, const std::stop_token& stop)
{
    // Own code makes no calls; only samples show that it does not run. A cut report ends at the cut.
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
            for (const EventIndex i : eventsIn(table, track, all, stop))
                last = std::max(last, std::min(table.end(i), all.end));
        }
    }
    Ending found{totalTime(after, {last, all.end}), {}};
    if (found.time * 2 > totalTime(after))
        found.text = Message("host.ends",
            "In its last {time}, without calls or samples, driver and system release what the process held.",
            {{"time", Duration{found.time}}});
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

HostStory hostStory(const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    const Ns all = totalTime(parts);
    if (all <= 0)
        return {};
    Message text;
    TimeByName sums;
    addOwnRanges(trace, thread, parts, sums, stop);
    // Other ranges are described with their content: the text distinguishes the two where it matters.
    constexpr double almostAll = 0.95;
    const Ns longest = sums.empty() ? 0 : std::ranges::max(sums | std::views::values);
    const bool isNested = shareOf(longest, sumOf(sums)) < almostAll && hasNestedRanges(trace, thread, parts);
    if (shareOf(sumOf(sums), all) >= minStoryShare)
        text += Message("host.ranges",
            "Its {ranges} in that time{nested, select, yes {, each without the ranges inside it} other {}}: {list}.",
            {{"ranges", rangesTextOf(trace)}, {"nested", yesOrNo(isNested)},
                {"list", longestTimes(trace, sums, namesShown)}});
    sums.clear();
    addCommunication(trace, thread, parts, sums, stop);
    if (shareOf(sumOf(sums), all) >= minHostShare)
        text += Message("host.communication", "Its calls of {library} in that time: {calls}.",
            {{"library", recordedCommunication(trace)}, {"calls", longestTimes(trace, sums, namesShown)}});
    if (!text.empty())
        return {std::move(text)};
    // CPU samples only cover time on a CPU: half of a few samples is not half of a long wait, whose thread
    // states are listed next to them. Python samples also cover waiting threads.
    const Message sampled = sampleText(samplesIn(trace, thread, parts, stop));
    text = sampled.empty() ? osCallsText(trace, thread, parts) : Message();
    sums.clear();
    if (!text.empty())
        addOsCalls(trace, thread, parts, sums);
    const std::vector<NamedLength> calls = longestNamed(trace, sums, 1);
    const bool namesDriver = !calls.empty() && calls.front().name == "ioctl";
    text += stateText(trace, thread, parts);
    text += sampled;
    text += librariesText(trace, thread, parts, stop);
    return {std::move(text), namesDriver};
}

} // namespace warpline
