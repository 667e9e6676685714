#include "core/analysis/time_by_name.h"

#include "core/base/ascii_case.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/steps/steps.h"

#include <algorithm>
#include <map>
#include <span>

namespace warpline {

namespace {

/// Adds the time of `parts` to `sums` by the events of `lanes`, the innermost lane first; returns the
/// uncovered time.
Intervals addLanes(const EventTable& table, std::span<const Lane> lanes, const Intervals& parts,
    TimeByName& sums, const std::stop_token& stop)
{
    StopCheck check(stop);
    Intervals left = parts;
    for (std::size_t lane = lanes.size(); lane-- > 0 && !left.empty();) {
        std::vector<TimeRange> taken;
        for (const TimeRange& part : left) {
            const auto [first, last] = table.touching(lanes[lane], part);
            for (EventIndex i = first; i < last; ++i) {
                check.step();
                const TimeRange piece = table.range(i).clippedTo(part);
                if (piece.empty())
                    continue;
                sums[table.name[i]] += piece.duration();
                taken.push_back(piece);
            }
        }
        if (!taken.empty())
            left = difference(left, unionOf(std::move(taken), {left.front().start, left.back().end}, stop));
    }
    return left;
}

} // namespace

void addCommunication(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop)
{
    for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
        // The outermost call is the one that the program made.
        forEachCommunication(trace, thread, kind, [&](const Track& track) {
            addLanes(trace.table(kind), trace.table(kind).lanesOf(track).first(track.laneCount > 0 ? 1 : 0),
                parts, sums, stop);
        });
    }
}

Intervals addGraphicsCalls(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop)
{
    const EventTable& table = trace.table(EventKind::Library);
    Intervals left = parts;
    for (const Track& track : TracksOf(trace, EventKind::Library, thread)) {
        if (track.device < 0 && isGraphicsCalls(trace.text(track.family)))
            left = addLanes(table, table.lanesOf(track).first(track.laneCount > 0 ? 1 : 0), left, sums, stop);
    }
    return left;
}

/// Whether `lane` has an event that touches `range`. O(log n).
static bool reachesInto(const EventTable& table, const Lane& lane, TimeRange range)
{
    const auto [first, last] = table.touching(lane, range);
    return first < last;
}

void addOwnRanges(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop)
{
    Intervals left = parts;
    // A domain of the program's own lies inside its ranges of the default domain.
    for (const bool named : {true, false}) {
        for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
            if (left.empty())
                return;
            // A thread may have any number of domains: most have nothing here, which is cheaper to see.
            const std::span<const Lane> lanes = trace.nvtx().lanesOf(track);
            const TimeRange all{left.front().start, left.back().end};
            if (std::ranges::none_of(
                    lanes, [&](const Lane& lane) { return reachesInto(trace.nvtx(), lane, all); }))
                continue;
            const std::string_view domain = trace.text(track.family);
            if (domain.empty() == named || isLibraryDomain(domain))
                continue;
            left = addLanes(trace.nvtx(), lanes, left, sums, stop);
        }
    }
}

bool hasNestedRanges(const Trace& trace, GlobalId thread, const Intervals& parts)
{
    const EventTable& table = trace.nvtx();
    const auto hasRange = [&](const Lane& lane) {
        return std::ranges::any_of(parts, [&](const TimeRange& part) {
            const auto [first, last] = table.touching(lane, part);
            for (EventIndex i = first; i < last; ++i) {
                if (table.duration[i] > 0) // a mark holds nothing
                    return true;
            }
            return false;
        });
    };
    std::size_t tracks = 0; // a domain of the program's own lies inside its ranges of the default domain
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
        if (isLibraryDomain(trace.text(track.family)))
            continue;
        const std::span<const Lane> lanes = table.lanesOf(track);
        if (lanes.empty() || !hasRange(lanes.front()))
            continue;
        if (++tracks > 1 || std::ranges::any_of(lanes.subspan(1), hasRange))
            return true;
    }
    return false;
}

Ns sumOf(const TimeByName& sums)
{
    Ns all = 0;
    for (const auto& [name, time] : sums)
        all += time;
    return all;
}

std::vector<NamedLength> longestNamed(const Trace& trace, const TimeByName& sums, std::size_t most)
{
    constexpr double minNamedShare = 0.05; // of the whole
    std::map<std::string, NamedLength> patterns;
    Ns all = 0;
    for (const auto& [name, time] : sums) {
        const std::string text = toUtf8(trace.text(name));
        const std::string pattern = withoutNumbers(text);
        NamedLength& named = patterns[pattern];
        named.name = commonName(named.name, text);
        named.pattern = pattern;
        named.time += time;
        all += time;
    }
    std::vector<NamedLength> ranked;
    for (auto& [pattern, named] : patterns)
        ranked.push_back(std::move(named));
    std::ranges::stable_sort(ranked, std::greater{}, &NamedLength::time);
    ranked.resize(std::min(most, ranked.size()));
    while (
        !ranked.empty() && static_cast<double>(ranked.back().time) < minNamedShare * static_cast<double>(all))
        ranked.pop_back();
    return ranked;
}

bool isOfFramework(std::string_view domain)
{
    return lowered(domain) == "pytorch";
}

bool isCudnnAttention(std::string_view name)
{
    return name.find("cudnn_attention") != std::string_view::npos;
}

TimeByName operatorTimes(
    const Trace& trace, GlobalId thread, const Intervals& parts, const std::stop_token& stop)
{
    TimeByName sums;
    Intervals left = parts;
    for (const bool ofFramework : {true, false}) { // its own domain lies inside the program's ranges
        for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
            const std::string_view domain = trace.text(track.family);
            if (track.device < 0 && isOfFramework(domain) == ofFramework
                && (ofFramework || !isLibraryDomain(domain)))
                left = addLanes(trace.nvtx(), trace.nvtx().lanesOf(track), left, sums, stop);
        }
    }
    // Other ranges inside an operator do not count for it.
    std::erase_if(sums, [&](const auto& each) { return !isFrameworkOperator(trace.text(each.first)); });
    return sums;
}

} // namespace warpline
