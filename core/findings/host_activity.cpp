#include "core/findings/host_activity.h"

#include "core/base/rounded.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/coverage/interval_times.h"
#include "core/coverage/migrations.h"
#include "core/findings/first_launches.h"
#include "core/replay/data_loading.h"
#include "core/steps/steps.h"
#include "core/store/library_domains.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace warpline {

namespace {

constexpr double minNamedShare = 0.05; ///< of the whole

HostDoing doingOf(CallKind kind)
{
    switch (kind) {
    case CallKind::Launch:
        return HostDoing::Launching;
    case CallKind::Copy:
    case CallKind::Set:
        return HostDoing::Copying;
    case CallKind::DeviceSync:
    case CallKind::StreamSync:
    case CallKind::EventSync:
        return HostDoing::Waiting;
    case CallKind::Allocate:
    case CallKind::Release:
    case CallKind::PinHost:
        return HostDoing::Allocating;
    case CallKind::LoadModule:
    case CallKind::MakeContext:
        return HostDoing::LoadingCode;
    case CallKind::CreateStream:
    case CallKind::Other:
        break;
    }
    return HostDoing::OtherCalls;
}

using Ranges = std::array<std::vector<TimeRange>, hostDoings - 1>;

/// Puts each event of a lane that `place(event)` says what it is into `ranges`.
template <typename Place>
void collectLane(const EventTable& table, const Lane& lane, TimeRange window, const std::stop_token& stop,
    Ranges& ranges, Place place)
{
    const auto [first, last] = table.touching(lane, window);
    for (const EventIndex i : stoppable(first, last, stop)) {
        const HostDoing doing = place(i);
        if (doing != HostDoing::OwnCode)
            ranges[indexOf(doing)].push_back(table.range(i));
    }
}

/// Hands each event of `thread` in the window to `place(event)`, which says what it is.
template <typename Place>
void collect(const EventTable& table, GlobalId thread, TimeRange window, const std::stop_token& stop,
    Ranges& ranges, Place place)
{
    for (const Track& track : table.tracks) {
        if (track.owner != thread || track.device >= 0)
            continue;
        for (const Lane& lane : table.lanesOf(track))
            collectLane(table, lane, window, stop, ranges, place);
    }
}

/// The same for API calls, less those inside a call that comes before them in the order of what a thread
/// does, or is of their kind: as many calls of the driver as of the runtime, none of which changes anything.
template <typename Place>
void collectCalls(const EventTable& calls, GlobalId thread, TimeRange window, const std::stop_token& stop,
    Ranges& ranges, Place place)
{
    for (const Track& track : calls.tracks) {
        if (track.owner != thread || track.device >= 0)
            continue;
        EventIndex outer = 0;
        EventIndex behind = 0; // the outer calls left are [outer, behind), of the lane above
        for (const Lane& lane : calls.lanesOf(track)) {
            collectLane(calls, lane, window, stop, ranges, [&](EventIndex i) {
                while (outer < behind && calls.end(outer) < calls.end(i))
                    ++outer;
                const HostDoing doing = place(i);
                const bool inside = outer < behind && calls.start[outer] <= calls.start[i];
                return inside && place(outer) <= doing ? HostDoing::OwnCode : doing;
            });
            std::tie(outer, behind) = calls.touching(lane, window);
        }
    }
}

/// Calls visit(track) for the tracks of communication calls of `thread`: a library's, or in exports of before
/// 2022.4 ranges of an NVTX domain.
template <typename Visit>
void forEachCommunication(const Trace& trace, GlobalId thread, EventKind kind, Visit visit)
{
    for (const Track& track : trace.table(kind).tracks) {
        if (track.owner == thread && track.device < 0 && isCommunicationLibrary(trace.text(track.family)))
            visit(track);
    }
}

/// Adds the time of `parts` by the events of `lanes`, the innermost lane first; returns what none covers.
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

std::string_view keyOf(HostDoing doing)
{
    constexpr std::array<std::string_view, hostDoings> keys{"communicating", "loading_data", "loading_code",
        "allocating", "waiting", "copying", "launching", "other_calls", "os_calls", "fetching_pages",
        "launched", "off_cpu", "own_code"};
    return keys[indexOf(doing)];
}

HostActivity::HostActivity(const Trace& trace, const CallKinds& kinds, GlobalId thread, TimeRange window,
    const std::stop_token& stop)
{
    Ranges ranges;
    for (const EventKind kind : {EventKind::Library, EventKind::Nvtx}) {
        const EventTable& calls = trace.table(kind);
        forEachCommunication(trace, thread, kind, [&](const Track& track) {
            for (const Lane& lane : calls.lanesOf(track)) {
                const auto [first, last] = calls.touching(lane, window);
                for (const EventIndex i : stoppable(first, last, stop))
                    ranges[indexOf(HostDoing::Communicating)].push_back(calls.range(i));
            }
        });
    }
    std::unordered_map<std::uint32_t, bool> loads; // by name: names are few
    collect(trace.nvtx(), thread, window, stop, ranges, [&](EventIndex i) {
        const StringId name = trace.nvtx().name[i];
        const auto [place, added] = loads.try_emplace(raw(name), false);
        if (added)
            place->second = isDataLoading(trace.text(name));
        return place->second ? HostDoing::LoadingData : HostDoing::OwnCode;
    });
    const std::vector<EventIndex> loading = firstLaunches(trace, kinds, stop);
    const EventTable& calls = trace.apiCalls();
    collectCalls(calls, thread, window, stop, ranges, [&](EventIndex i) {
        const bool loadsCode = calls.duration[i] >= slowLaunch && std::ranges::binary_search(loading, i);
        return loadsCode ? HostDoing::LoadingCode : doingOf(kinds[i]);
    });
    collect(trace.table(EventKind::OsRuntime), thread, window, stop, ranges,
        [](EventIndex) { return HostDoing::OsCalls; });
    const EventTable& states = trace.table(EventKind::ThreadState);
    collect(states, thread, window, stop, ranges, [&](EventIndex i) {
        return trace.text(states.name[i]) == "Running" ? HostDoing::OwnCode : HostDoing::OffCpu;
    });
    ranges[indexOf(HostDoing::FetchingPages)] = hostPageWaits(trace, processOf(thread), window, stop);
    PackedIntervals taken; // by what comes before
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const PackedIntervals all = unionOf(std::move(ranges[i]), window, stop);
        m_covered[i] = taken.empty() ? all : packedDifference(all, taken);
        if (std::all_of(ranges.begin() + static_cast<std::ptrdiff_t>(i) + 1, ranges.end(),
                [](const auto& later) { return later.empty(); }))
            break;
        taken = united(taken, all);
    }
}

Intervals HostActivity::known(TimeRange range) const
{
    Intervals all;
    for (const PackedIntervals& covered : m_covered) {
        const Intervals some = clipped(covered, range);
        all.insert(all.end(), some.begin(), some.end());
    }
    return unionOf(std::move(all), range);
}

Intervals HostActivity::within(HostDoing doing, TimeRange range) const
{
    return doing == HostDoing::OwnCode ? gaps(known(range), range)
                                       : clipped(m_covered[indexOf(doing)], range);
}

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

void addOwnRanges(const Trace& trace, GlobalId thread, const Intervals& parts, TimeByName& sums,
    const std::stop_token& stop)
{
    Intervals left = parts;
    // A domain of the program's own lies inside its ranges of the default domain.
    for (const bool named : {true, false}) {
        for (const Track& track : trace.nvtx().tracks) {
            const std::string_view domain = trace.text(track.family);
            if (track.owner != thread || domain.empty() == named || isLibraryDomain(domain))
                continue;
            left = addLanes(trace.nvtx(), trace.nvtx().lanesOf(track), left, sums, stop);
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
    for (const Track& track : table.tracks) {
        if (track.owner != thread || isLibraryDomain(trace.text(track.family)))
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
    std::map<std::string, NamedLength> patterns;
    Ns all = 0;
    for (const auto& [name, time] : sums) {
        const std::string text = toUtf8(trace.text(name));
        const std::string pattern = withoutNumbers(text);
        NamedLength& named = patterns[pattern];
        named.name = named.names++ == 0 ? text : pattern;
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

std::string longestOf(const Trace& trace, const TimeByName& sums, std::size_t most,
    std::string_view (*explain)(std::string_view))
{
    std::string text;
    for (const NamedLength& each : longestNamed(trace, sums, most)) {
        const std::string_view words = explain ? explain(each.name) : std::string_view();
        text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", each.name, roundedDuration(each.time),
            words.empty() ? std::string() : fmt::format(" ({})", words));
    }
    return text;
}

HostSplit HostActivity::split(TimeRange range) const
{
    HostSplit parts{};
    Ns known = 0;
    for (std::size_t i = 0; i < m_covered.size(); ++i) {
        parts[i] = m_covered[i].timeIn(range);
        known += parts[i];
    }
    parts.back() = std::max<Ns>(0, range.duration() - known);
    return parts;
}

} // namespace warpline
