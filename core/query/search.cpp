#include "core/query/search.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpline {

bool isSearched(EventKind kind, SampleSearch samples, const EventPredicate& match)
{
    if (!match.mayPass(kind))
        return false;
    // Rows of CPU cores repeat the thread's name at every switch: not searched.
    if (kind == EventKind::CpuCore)
        return false;
    const bool repeats = kind == EventKind::Sample || kind == EventKind::NvtxProjected;
    return !repeats || samples == SampleSearch::WithSamples;
}

namespace {

/// Calls visit(table, index) for all events that match, of those for which mayCount(table, event) is true.
template <typename MayCount, typename Visit>
void eachMatch(const Trace& trace, const EventPredicate& match, SampleSearch samples,
    const std::stop_token& stop, MayCount&& mayCount, Visit&& visit)
{
    for (const EventKind kind : allEventKinds()) {
        if (!isSearched(kind, samples, match))
            continue;
        const EventTable& table = trace.table(kind);
        for (const EventIndex i : everyEvent(table, stop)) {
            if (mayCount(table, EventRef{kind, i}) && match({kind, i}))
                visit(table, i);
        }
    }
}

/// How many events match of those for which mayCount(table, event) is true.
template <typename MayCount>
std::uint64_t countOf(const Trace& trace, const EventPredicate& match, SampleSearch samples,
    const std::stop_token& stop, MayCount&& mayCount)
{
    std::uint64_t count = 0;
    eachMatch(trace, match, samples, stop, mayCount, [&](const EventTable&, EventIndex) { ++count; });
    return count;
}

} // namespace

EventRef findNext(const Trace& trace, const EventPredicate& match, EventRef from, Ns time, bool forward,
    SampleSearch samples, const std::stop_token& stop)
{
    using Key = std::tuple<Ns, EventKind, EventIndex>;
    const Key start = from.valid() ? Key{trace.range(from).start, from.kind, from.index}
        : forward                  ? Key{time, EventKind::Kernel, 0}
                                   : Key{time, static_cast<EventKind>(eventKindCount), noIndex};
    EventRef best;
    Key bestKey{};
    StopCheck check(stop);
    for (const EventKind kind : allEventKinds()) {
        if (!isSearched(kind, samples, match))
            continue;
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            // Events of a lane are in time order: the first match in the direction is the lane's best.
            const EventIndex split = forward ? table.firstStartingAt(lane, std::get<0>(start))
                                             : table.firstStartingAt(lane, std::get<0>(start) + 1);
            const auto consider = [&](EventIndex i) {
                check.step();
                const Key key{table.start[i], kind, i};
                const bool beyond = forward ? key > start || (!from.valid() && key >= start) : key < start;
                if (!beyond || !match({kind, i}))
                    return false;
                if (!best.valid() || (forward ? key < bestKey : key > bestKey)) {
                    best = {kind, i};
                    bestKey = key;
                }
                return true;
            };
            if (forward) {
                for (EventIndex i = split; i < lane.first + lane.count && !consider(i); ++i) { }
            } else {
                for (EventIndex i = split; i-- > lane.first && !consider(i);) { }
            }
        }
    }
    return best;
}

SampleSearch samplesToSearch(const Trace& trace, const EventPredicate& match, const std::stop_token& stop)
{
    return countMatches(trace, match, SampleSearch::WithoutSamples, stop) > 0 ? SampleSearch::WithoutSamples
                                                                              : SampleSearch::WithSamples;
}

std::vector<std::uint8_t> matchesAlong(const Trace& trace, const EventPredicate& match, int pixels,
    SampleSearch samples, const std::stop_token& stop)
{
    std::vector<std::uint8_t> found(static_cast<std::size_t>(std::max(1, pixels)), 0);
    const TimeRange session = trace.session;
    if (session.empty())
        return found;
    const double scale = static_cast<double>(found.size()) / static_cast<double>(session.duration());
    eachMatch(
        trace, match, samples, stop,
        [&](const EventTable& table, EventRef event) { return session.contains(table.start[event.index]); },
        [&](const EventTable& table, EventIndex i) {
            const auto at
                = static_cast<std::size_t>(static_cast<double>(table.start[i] - session.start) * scale);
            found[std::min(at, found.size() - 1)] = 1;
        });
    return found;
}

std::uint64_t countMatches(
    const Trace& trace, const EventPredicate& match, SampleSearch samples, const std::stop_token& stop)
{
    return countOf(trace, match, samples, stop, [](const EventTable&, EventRef) { return true; });
}

std::uint64_t countMatchesUntil(const Trace& trace, const EventPredicate& match, Ns time,
    SampleSearch samples, const std::stop_token& stop)
{
    return countOf(trace, match, samples, stop,
        [&](const EventTable& table, EventRef event) { return table.start[event.index] <= time; });
}

std::uint64_t placeAmongMatches(const Trace& trace, const EventPredicate& match, EventRef event,
    SampleSearch samples, const std::stop_token& stop)
{
    const std::pair<Ns, EventRef> place{trace.range(event).start, event};
    return countOf(trace, match, samples, stop, [&](const EventTable& table, EventRef each) {
        return std::pair<Ns, EventRef>{table.start[each.index], each} <= place;
    });
}

} // namespace warpline
