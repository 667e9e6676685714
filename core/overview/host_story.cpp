#include "core/overview/host_story.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/call_kinds.h"
#include "core/findings/evidence.h"
#include "core/findings/host_activity.h"
#include "core/store/event_loops.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace warpline {

namespace {

constexpr double worthTelling = 0.3; ///< of the time asked about
constexpr std::size_t fewestSamples = 10;
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

/// How often the innermost function that has a name was seen.
struct SampleCounts {
    std::map<std::string_view, std::size_t> functions;
    std::size_t all = 0;
};

void countSample(const Trace& trace, EventIndex sample, SampleCounts& counts)
{
    ++counts.all;
    for (const StackFrame& frame : trace.stackOf({EventKind::Sample, sample})) {
        const std::string_view symbol = trace.text(frame.symbol);
        if (frame.unresolved || symbol.empty() || symbol.front() == '[')
            continue;
        ++counts.functions[symbol];
        return;
    }
}

SampleCounts samplesOf(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    const EventTable& samples = trace.table(EventKind::Sample);
    SampleCounts counts;
    for (const Track& track : samples.tracks) {
        if (track.owner != thread)
            continue;
        for (const Lane& lane : samples.lanesOf(track)) {
            for (const TimeRange& part : parts) {
                const auto [first, last] = samples.touching(lane, part);
                for (const EventIndex i : stoppable(first, last, stop))
                    countSample(trace, i, counts);
            }
        }
    }
    return counts;
}

constexpr double leastLeading = 0.2; ///< of the samples: less explains nothing of what the host did
constexpr double leastNext = 0.1;

/// "74.3% of its 2,066 CPU samples lie in __random, 11.0% in __random_r"; empty: too few to say, or too
/// spread.
std::string sampleText(const SampleCounts& counts)
{
    if (counts.all < fewestSamples || counts.functions.empty())
        return {};
    std::vector<std::pair<std::size_t, std::string_view>> ranked;
    for (const auto& [function, count] : counts.functions)
        ranked.emplace_back(count, function);
    std::ranges::stable_sort(ranked, std::greater{}, &std::pair<std::size_t, std::string_view>::first);
    std::string text;
    for (std::size_t i = 0; i < std::min(namesShown, ranked.size()); ++i) {
        const double share = static_cast<double>(ranked[i].first) / static_cast<double>(counts.all);
        if (share < (i == 0 ? leastLeading : leastNext))
            break;
        const std::string name = toUtf8(ranked[i].second);
        text += i == 0 ? fmt::format(
                    "{} of its {} CPU samples lie in {}", formatShare(share), formatCount(counts.all), name)
                       : fmt::format(", {} in {}", formatShare(share), name);
    }
    return text;
}

/// The longest names of `kind` over all threads, each with how often.
std::string longestNames(
    const Trace& trace, EventKind kind, TimeRange window, bool own, const std::stop_token& stop)
{
    struct Named {
        Ns time = 0;
        std::uint64_t count = 0;
    };
    const EventTable& table = trace.table(kind);
    std::map<std::string, Named> names;
    for (const Track& track : table.tracks) {
        if (track.laneCount == 0 || (own && (track.device >= 0 || !trace.text(track.family).empty())))
            continue;
        const auto [first, last] = table.touching(table.lanes[track.firstLane], window);
        for (const EventIndex i : stoppable(first, last, stop)) {
            Named& named = names[toUtf8(bareCallName(trace.text(table.name[i])))];
            named.time += table.range(i).clippedTo(window).duration();
            ++named.count;
        }
    }
    std::vector<std::pair<std::string, Named>> ranked(names.begin(), names.end());
    std::ranges::stable_sort(ranked, std::greater{}, [](const auto& each) { return each.second.time; });
    std::string text;
    for (std::size_t i = 0; i < std::min(namesShown, ranked.size()); ++i) {
        if (ranked[i].second.time == 0)
            break;
        text += fmt::format("{}{} {} ({})", i > 0 ? ", " : "", ranked[i].first,
            formatDuration(ranked[i].second.time), counted(ranked[i].second.count, "time"));
    }
    return text;
}

/// The thread with the most CPU samples in `window`, and their number.
std::pair<GlobalId, std::size_t> mostSampled(const Trace& trace, TimeRange window)
{
    const EventTable& samples = trace.table(EventKind::Sample);
    std::map<GlobalId, std::size_t> threads;
    for (const Track& track : samples.tracks) {
        for (const Lane& lane : samples.lanesOf(track)) {
            const auto [first, last] = samples.touching(lane, window);
            threads[track.owner] += last - first;
        }
    }
    const auto most = std::ranges::max_element(threads, {}, [](const auto& each) { return each.second; });
    return most != threads.end() ? *most : std::pair<const GlobalId, std::size_t>{0, 0};
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
        return fmt::format("It waits for other processes: {}.", longestOf(trace, sums, namesShown));
    if (const std::string sampled = sampleText(samplesOf(trace, thread, parts, stop)); !sampled.empty())
        return sampled + ".";
    sums.clear();
    addOutermost(trace.table(EventKind::OsRuntime), thread, parts, sums);
    if (shareOf(sumOf(sums), all) >= worthTelling)
        return fmt::format("It is in calls of the operating system: {}.", longestOf(trace, sums, namesShown));
    return {};
}

std::vector<std::string> whatRanInstead(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    std::vector<std::string> sentences;
    const auto add = [&](const char* begin, const std::string& names) {
        if (!names.empty())
            sentences.push_back(fmt::format("{}: {}.", begin, names));
    };
    add("The program's longest NVTX ranges", longestNames(trace, EventKind::Nvtx, window, true, stop));
    add("The longest CUDA calls", longestNames(trace, EventKind::ApiCall, window, false, stop));
    add("The longest calls of libraries", longestNames(trace, EventKind::Library, window, false, stop));
    if (const auto [thread, count] = mostSampled(trace, window); count >= fewestSamples) {
        const std::string sampled = sampleText(samplesOf(trace, thread, {window}, stop));
        if (!sampled.empty())
            sentences.push_back(
                fmt::format("The thread that ran most is {}: {}.", threadLabel(trace, thread), sampled));
    }
    return sentences;
}

} // namespace warpline
