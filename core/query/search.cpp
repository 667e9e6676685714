#include "core/query/search.h"

#include "core/store/event_loops.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace warpline {

namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool containsLower(std::string_view text, std::string_view lowered)
{
    const auto found = std::search(text.begin(), text.end(), lowered.begin(), lowered.end(),
        [](char a, char b) { return lower(a) == b; });
    return found != text.end();
}

bool isSearched(EventKind kind, SampleSearch samples)
{
    return kind != EventKind::Sample || samples == SampleSearch::WithSamples;
}

} // namespace

NameMatch::NameMatch(const Trace& trace, std::string_view text)
    : m_all(text.empty())
{
    if (m_all)
        return;
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(), lower);
    m_matches.resize(trace.pool->size());
    for (std::uint32_t i = 0; i < m_matches.size(); ++i)
        m_matches[i] = containsLower(trace.text(StringId{i}), lowered) ? 1 : 0;
}

bool NameMatch::operator()(const Trace& trace, EventRef event) const
{
    return (*this)(trace.table(event.kind).name[event.index])
        || (event.kind == EventKind::Kernel && (*this)(trace.kernels().launch(event.index).shortName));
}

EventRef findNext(
    const Trace& trace, const NameMatch& match, EventRef from, Ns time, bool forward, SampleSearch samples,
    const std::stop_token& stop)
{
    using Key = std::tuple<Ns, EventKind, EventIndex>;
    const Key start = from.valid() ? Key{trace.range(from).start, from.kind, from.index}
        : forward                  ? Key{time, EventKind::Kernel, 0}
                                   : Key{time, EventKind::NvtxProjected, noIndex};
    EventRef best;
    Key bestKey{};
    StopCheck check(stop);
    for (const EventKind kind : allEventKinds()) {
        if (!isSearched(kind, samples))
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
                if (!beyond || !match(trace, {kind, i}))
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

std::uint64_t countMatches(const Trace& trace, const NameMatch& match, SampleSearch samples,
    const std::stop_token& stop)
{
    std::uint64_t count = 0;
    for (const EventKind kind : allEventKinds()) {
        if (!isSearched(kind, samples))
            continue;
        for (const EventIndex i : everyEvent(trace.table(kind), stop))
            count += match(trace, {kind, i}) ? 1 : 0;
    }
    return count;
}

std::uint64_t placeAmongMatches(
    const Trace& trace, const NameMatch& match, EventRef event, SampleSearch samples)
{
    const std::tuple place{trace.range(event).start, event.kind, event.index};
    std::uint64_t count = 0;
    for (const EventKind kind : allEventKinds()) {
        if (!isSearched(kind, samples))
            continue;
        const EventTable& table = trace.table(kind);
        for (EventIndex i = 0; i < table.size(); ++i) {
            const bool before = std::tuple{table.start[i], kind, i} <= place;
            count += before && match(trace, {kind, i}) ? 1 : 0;
        }
    }
    return count;
}

} // namespace warpline
