// Sorting into tracks and lanes.
//
// Most tables come nearly sorted by start, with tracks interleaved. A counting sort groups the tracks and
// keeps their order; only tracks that are out of order are sorted. Lanes are then handed out first-fit: an
// event takes the lowest lane that is free at its start. For nested events (calls on a thread, NVTX push/pop)
// that is the nesting depth, since all ancestors still hold their lanes; for events that overlap freely
// (kernels beside one another on a stream, start/end ranges) it is the fewest lanes in which nothing
// overlaps.

#include "core/store/table_builder.h"

#include "core/base/saturate.h"
#include "core/store/lane_order.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

namespace warpline {

namespace {

/// Brings `column` into `order`. `scratch` takes its old cells, to be the next column's room: fresh memory
/// for each would have to be cleared by the system first.
template <typename T>
void permute(std::vector<T>& column, std::span<const std::uint32_t> order, std::vector<T>& scratch)
{
    if (column.empty())
        return;
    scratch.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        scratch[i] = column[order[i]];
    column.swap(scratch);
}

/// Gives back room that was reserved for rows that never came.
template <typename T> void trim(std::vector<T>& column)
{
    if (column.capacity() > column.size() + column.size() / 8 + 1024)
        column.shrink_to_fit();
}

bool isIdentity(std::span<const std::uint32_t> order)
{
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != i)
            return false;
    }
    return true;
}

} // namespace

std::size_t TableBuilder::KeyHash::operator()(const TrackKey& key) const
{
    std::size_t hash = std::hash<GlobalId>{}(key.owner);
    for (const auto part : {static_cast<std::uint32_t>(key.device), static_cast<std::uint32_t>(key.context),
             static_cast<std::uint32_t>(key.stream), raw(key.family), raw(key.source)})
        hash = hash * 1099511628211ULL + part;
    return hash;
}

TableBuilder::TableBuilder(EventKind kind, std::size_t mostEvents)
    : m_mostEvents(mostEvents > 0 ? mostEvents : mostEventsOf(kind))
{
    m_table.kind = kind;
}

std::uint32_t TableBuilder::track(const TrackKey& key)
{
    if (m_lastTrack < m_keys.size() && m_keys[m_lastTrack] == key)
        return m_lastTrack;
    const auto [place, added] = m_tracks.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
    if (added)
        m_keys.push_back(key);
    m_lastTrack = place->second;
    return m_lastTrack;
}

void TableBuilder::add(std::uint32_t track, Ns start, Ns end, StringId name, std::uint32_t sourceRow)
{
    m_leftOut = size() >= m_mostEvents;
    if (m_leftOut) {
        ++m_table.leftOut;
        return;
    }
    m_track.push_back(track);
    m_table.start.push_back(start);
    m_table.duration.push_back(std::max<Ns>(0, end - start));
    m_table.name.push_back(name);
    m_table.sourceRow.push_back(sourceRow);
}

void TableBuilder::reserve(std::size_t events)
{
    m_reserved = events;
    m_track.reserve(events);
    m_table.start.reserve(events);
    m_table.duration.reserve(events);
    m_table.name.reserve(events);
    m_table.sourceRow.reserve(events);
}

void TableBuilder::append(TableBuilder&& other)
{
    std::vector<std::uint32_t> translated;
    translated.reserve(other.m_keys.size());
    for (const TrackKey& key : other.m_keys)
        translated.push_back(track(key));
    for (const std::uint32_t t : other.m_track)
        m_track.push_back(translated[t]);
    other.m_track = {};
    const auto move = [this](auto& to, auto& from) {
        if (to.empty() && to.capacity() < from.size()) {
            to = std::move(from);
            to.reserve(m_reserved);
        } else {
            to.insert(to.end(), from.begin(), from.end());
        }
        from = {};
    };
    EventTable& from = other.m_table;
    move(m_table.start, from.start);
    m_table.duration.append(from.duration);
    from.duration = {};
    move(m_table.name, from.name);
    move(m_table.sourceRow, from.sourceRow);
    move(m_table.correlation, from.correlation);
    move(m_table.bytes, from.bytes);
    move(m_table.callchain, from.callchain);
    move(m_table.attribute, from.attribute);
    move(m_address, other.m_address);
    m_table.sourceRows += from.sourceRows;
    m_table.leftOut += from.leftOut;
    truncate(m_mostEvents);
}

void TableBuilder::truncate(std::size_t most)
{
    if (size() <= most)
        return;
    m_table.leftOut += size() - most;
    const auto cut = [most](auto&... columns) {
        const auto one = [most](auto& column) {
            if (column.size() > most)
                column.resize(most);
        };
        (one(columns), ...);
    };
    cut(m_track, m_table.start, m_table.name, m_table.sourceRow, m_table.correlation, m_table.bytes,
        m_table.callchain, m_table.attribute, m_address);
    m_table.duration.truncate(most);
}

void TableBuilder::limitDurations()
{
    constexpr std::size_t fewShort = mostTotalDuration >> 32U;
    if (m_table.duration.allShort() && size() <= fewShort)
        return;
    Ns total = 0;
    for (std::size_t i = 0; i < size(); ++i)
        total = saturatingAdd(total, m_table.duration[i]);
    if (total <= mostTotalDuration)
        return;
    total = 0;
    DurationColumn limited;
    for (std::size_t i = 0; i < size(); ++i) {
        const bool fits = saturatingAdd(total, m_table.duration[i]) <= mostTotalDuration;
        m_table.shortened += fits ? 0 : 1;
        limited.push_back(fits ? m_table.duration[i] : 0);
        total += fits ? m_table.duration[i] : 0;
    }
    m_table.duration = std::move(limited);
}

void TableBuilder::sortTracks()
{
    // By their first events, as they would come in rows sorted by time: rows of a report have no order.
    std::vector<Ns> earliest(m_keys.size(), std::numeric_limits<Ns>::max());
    for (std::size_t i = 0; i < m_track.size(); ++i)
        earliest[m_track[i]] = std::min(earliest[m_track[i]], m_table.start[i]);
    std::vector<std::uint32_t> order(m_keys.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto placeOf = [&](std::uint32_t t) {
        const TrackKey& key = m_keys[t];
        return std::tuple(earliest[t], key.owner, key.device, key.context, key.stream, raw(key.source));
    };
    std::ranges::stable_sort(order, {}, placeOf);
    if (isIdentity(order))
        return;
    std::vector<std::uint32_t> place(order.size());
    std::vector<TrackKey> keys;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        keys.push_back(m_keys[order[i]]);
    }
    m_keys = std::move(keys);
    for (std::uint32_t& track : m_track)
        track = place[track];
}

std::vector<std::uint32_t> TableBuilder::sortedOrder()
{
    sortTracks();
    // Group by track, keeping the order within each.
    const std::size_t events = m_table.size();
    std::vector<std::uint32_t> count(m_keys.size(), 0);
    for (const std::uint32_t t : m_track)
        ++count[t];
    std::vector<std::uint32_t> place(count.size(), 0);
    std::exclusive_scan(count.begin(), count.end(), place.begin(), 0U);
    std::vector<std::uint32_t> order(events);
    for (std::size_t i = 0; i < events; ++i)
        order[place[m_track[i]]++] = static_cast<std::uint32_t>(i);
    m_track = {};

    EventIndex first = 0;
    for (std::size_t t = 0; t < m_keys.size(); ++t) {
        const std::span<std::uint32_t> ofTrack = std::span(order).subspan(first, count[t]);
        sortByStart(m_table, ofTrack);
        const TrackKey& key = m_keys[t];
        Track track{key.owner, key.device, key.context, key.stream, key.greenContext, key.family, key.source,
            static_cast<std::uint32_t>(m_table.lanes.size()), 0, first, count[t]};
        EventIndex laneFirst = first;
        for (const std::uint32_t inLane : groupByLane(m_table, ofTrack)) {
            m_table.lanes.push_back({laneFirst, inLane});
            laneFirst += inLane;
            ++track.laneCount;
        }
        m_table.tracks.push_back(track);
        first += count[t];
    }
    return order;
}

void TableBuilder::foldEqual(const std::function<bool(const TrackKey&)>& folds,
    const std::function<std::uint32_t(std::uint32_t, std::size_t)>& attributeFor)
{
    std::vector<bool> foldsTrack;
    for (const TrackKey& key : m_keys)
        foldsTrack.push_back(folds(key));
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_track.size(); ++i) {
        if (foldsTrack[m_track[i]])
            order.push_back(i);
    }
    const auto identity = [this](std::uint32_t i) {
        return std::tuple(m_track[i], m_table.start[i], static_cast<Ns>(m_table.duration[i]),
            raw(m_table.name[i]), m_table.attribute[i]);
    };
    std::ranges::stable_sort(order, {}, identity);
    std::vector<bool> gone(m_track.size());
    bool any = false;
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        while (last < order.size() && identity(order[last]) == identity(order[first]))
            ++last;
        for (const std::uint32_t again : std::span(order).subspan(first + 1, last - first - 1))
            gone[again] = any = true;
        if (last - first > 1)
            m_table.attribute[order[first]] = attributeFor(m_table.attribute[order[first]], last - first);
    }
    if (any)
        erase(gone);
}

void TableBuilder::erase(const std::vector<bool>& gone)
{
    const auto compact = [&gone](auto& column) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < column.size(); ++i) {
            if (!gone[i])
                column[kept++] = column[i];
        }
        column.resize(kept);
    };
    DurationColumn durations;
    for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i])
            durations.push_back(m_table.duration[i]);
    }
    m_table.duration = std::move(durations);
    compact(m_track);
    compact(m_table.start);
    compact(m_table.name);
    compact(m_table.sourceRow);
    compact(m_table.attribute);
}

void TableBuilder::finishInto(EventTable& table)
{
    limitDurations();
    const std::vector<std::uint32_t> order = sortedOrder();
    if (!isIdentity(order)) {
        std::vector<std::uint32_t> scratch;
        m_table.duration.permute(order, scratch);
        for (auto* const column :
            {&m_table.sourceRow, &m_table.correlation, &m_table.callchain, &m_table.attribute})
            permute(*column, order, scratch);
        scratch = {};
        std::vector<StringId> names;
        permute(m_table.name, order, names);
        names = {};
        std::vector<std::uint64_t> wide;
        permute(m_table.bytes, order, wide);
        permute(m_address, order, wide);
        wide = {};
        std::vector<Ns> starts;
        permute(m_table.start, order, starts);
    }
    const auto trimAll = [](auto&... columns) { (trim(columns), ...); };
    trimAll(m_table.start, m_table.name, m_table.sourceRow, m_table.correlation, m_table.bytes,
        m_table.callchain, m_table.attribute, m_address);
    m_table.duration.trim();
    m_table.indexBlocks();
    const EventKind kind = m_table.kind;
    table = std::move(m_table);
    m_table = {};
    m_table.kind = kind;
    m_leftOut = false;
    m_keys.clear();
    m_tracks.clear();
    m_lastTrack = 0;
    m_reserved = 0;
}

std::shared_ptr<const EventTable> finish(TableBuilder& builder)
{
    if (builder.kind() == EventKind::Library) {
        auto calls = std::make_shared<LibraryCallTable>();
        builder.finishInto(*calls);
        calls->messages.emplace_back();
        calls->attribute.assign(calls->size(), 0);
        return calls;
    }
    if (builder.kind() == EventKind::GraphEvent) {
        auto made = std::make_shared<GraphEventTable>();
        builder.finishInto(*made);
        made->nodes.emplace_back();
        made->attribute.assign(made->size(), 0);
        return made;
    }
    auto table = std::make_shared<EventTable>();
    builder.finishInto(*table);
    return table;
}

} // namespace warpline
