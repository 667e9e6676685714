#include "core/derive/tracks_of.h"

#include "core/derive/kept_answers.h"

#include <algorithm>
#include <numeric>

namespace warpline {

namespace {

using Places = std::vector<std::uint32_t>;

Places placesByOwner(const EventTable& table)
{
    Places places(table.tracks.size());
    std::iota(places.begin(), places.end(), 0U);
    std::ranges::stable_sort(places, {}, [&](std::uint32_t place) { return table.tracks[place].owner; });
    return places;
}

KeptAnswers<EventTable, Places> keptPlaces;

} // namespace

TracksOf::TracksOf(const Trace& trace, EventKind kind, GlobalId owner)
    : TracksOf(trace, kind, owner, owner)
{
}

TracksOf TracksOf::ofProcess(const Trace& trace, EventKind kind, GlobalId process)
{
    return {trace, kind, processOf(process), process | 0xFFFFFF};
}

TracksOf::TracksOf(const Trace& trace, EventKind kind, GlobalId first, GlobalId last)
    : m_table(trace.tables[indexOf(kind)]),
      m_byOwner(keptPlaces.of(m_table, [this] { return placesByOwner(*m_table); }))
{
    const auto ownerAt = [this](std::uint32_t place) { return m_table->tracks[place].owner; };
    const auto begin = std::ranges::lower_bound(*m_byOwner, first, {}, ownerAt);
    const auto end = std::ranges::upper_bound(begin, m_byOwner->end(), last, {}, ownerAt);
    m_places = std::span(begin, end);
}

} // namespace warpline
