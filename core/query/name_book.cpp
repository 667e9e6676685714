#include "core/query/name_book.h"

#include "core/base/median.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpline {

namespace {

constexpr std::size_t maxAtOnce = 10'000'000; ///< events whose durations are grouped together

/// Works out the medians of names [first, last); `places` has the place of each name's id.
template <typename T>
void findMedians(const EventTable& table, std::vector<NameSummary>& names, std::size_t first,
    std::size_t last, const std::vector<std::uint32_t>& places)
{
    std::vector<std::size_t> next(last - first + 1, 0);
    for (std::size_t i = first; i < last; ++i)
        next[i - first + 1] = next[i - first] + static_cast<std::size_t>(names[i].count);
    std::vector<T> durations(next.back());
    const std::vector<std::size_t> begins = next;
    TrackCursor tracks(table);
    for (EventIndex i = 0; i < table.size(); ++i) {
        const std::size_t place = places[raw(table.name[i])];
        if (isRecordedOnGpu(table.kind, tracks.of(i)))
            continue;
        if (place >= first && place < last)
            durations[next[place - first]++] = static_cast<T>(table.duration[i]);
    }
    for (std::size_t i = first; i < last; ++i)
        names[i].median = static_cast<Ns>(middleIn(
            std::span(durations).subspan(begins[i - first], static_cast<std::size_t>(names[i].count))));
}

} // namespace

NameBook::OfKind NameBook::summarize(
    const EventTable& table, std::vector<std::uint32_t>& places, const std::stop_token& stop)
{
    OfKind found;
    std::vector<NameSummary>& names = found.names;
    TrackCursor tracks(table);
    for (const EventIndex i : everyEvent(table, stop)) {
        if (isRecordedOnGpu(table.kind, tracks.of(i)))
            continue;
        std::uint32_t& place = places[raw(table.name[i])];
        if (place == noIndex) {
            place = static_cast<std::uint32_t>(names.size());
            names.push_back({.name = table.name[i]});
        }
        NameSummary& of = names[place];
        const Ns duration = table.duration[i];
        ++of.count;
        of.total += duration;
        of.longest = std::max(of.longest, duration);
    }
    for (std::size_t first = 0; first < names.size();) {
        throwIfStopped(stop);
        std::size_t last = first;
        std::uint64_t events = 0;
        while (last < names.size() && (last == first || events + names[last].count <= maxAtOnce))
            events += names[last++].count;
        if (table.duration.allShort())
            findMedians<std::uint32_t>(table, names, first, last, places);
        else
            findMedians<Ns>(table, names, first, last, places);
        first = last;
    }
    Ns whole = 0;
    for (const NameSummary& each : names) {
        whole += each.total;
        places[raw(each.name)] = noIndex; // for the next kind
    }
    for (NameSummary& each : names)
        each.share = whole > 0 ? static_cast<double>(each.total) / static_cast<double>(whole) : 0;
    std::ranges::stable_sort(names, std::greater{}, &NameSummary::total);
    found.byName.resize(names.size());
    std::iota(found.byName.begin(), found.byName.end(), 0U);
    std::ranges::sort(found.byName, {}, [&](std::uint32_t at) { return names[at].name; });
    return found;
}

NameBook NameBook::of(const Trace& trace, const std::stop_token& stop)
{
    NameBook book;
    std::vector<std::uint32_t> places(trace.pool->size() + 1, noIndex);
    for (const EventKind kind : allEventKinds())
        book.m_kinds[indexOf(kind)] = summarize(trace.table(kind), places, stop);
    return book;
}

const NameSummary* NameBook::find(EventKind kind, StringId name) const
{
    const OfKind& of = m_kinds[indexOf(kind)];
    const auto nameOf = [&](std::uint32_t at) { return of.names[at].name; };
    const auto found = std::ranges::lower_bound(of.byName, name, {}, nameOf);
    return found != of.byName.end() && nameOf(*found) == name ? &of.names[*found] : nullptr;
}

} // namespace warpline
