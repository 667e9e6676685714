// Sorting into tracks and lanes.
//
// Most tables come nearly sorted by start, with tracks interleaved. A counting sort groups the tracks and
// keeps their order; only tracks out of order are sorted. Lanes are then assigned first-fit: an event takes
// the lowest lane that is free at its start. For nested events (calls on a thread, NVTX push/pop) that is the
// nesting depth, because all ancestors still hold their lanes; for freely overlapping events (concurrent
// kernels on a stream, start/end ranges) it is the minimum number of lanes without overlap.

#include "core/store/table_builder.h"

#include "core/base/parallel.h"
#include "core/base/saturate.h"
#include "core/store/lane_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace warpline {

namespace {

/// Gives back room that was reserved for rows that never came.
template <typename T> void trim(std::vector<T>& column)
{
    if (column.capacity() > column.size() + column.size() / 8 + 1024)
        column.shrink_to_fit();
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

TableBuilder::TableBuilder(EventKind kind, std::size_t maxEvents)
    : m_mostEvents(maxEvents > 0 ? maxEvents : maxEventsOf(kind))
{
    m_table.kind = kind;
}

std::uint32_t TableBuilder::track(const TrackKey& key)
{
    const auto bits = static_cast<std::uint64_t>(key.owner) ^ static_cast<std::uint32_t>(key.stream)
        ^ (std::uint64_t{raw(key.family)} << 3U);
    std::uint32_t& recent = m_recent[(bits ^ bits >> 6U) % m_recent.size()];
    if (recent < m_keys.size() && m_keys[recent] == key)
        return recent;
    const auto [place, added] = m_tracks.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
    if (added)
        m_keys.push_back(key);
    return recent = place->second;
}

void TableBuilder::add(std::uint32_t track, Ns start, Ns end, StringId name, std::uint32_t sourceRow)
{
    m_leftOut = size() >= m_mostEvents;
    if (m_leftOut) {
        ++m_table.leftOut;
        return;
    }
    m_columns.track.push_back(track);
    m_columns.start.push_back(start);
    m_columns.addDuration(std::max<Ns>(0, end - start));
    m_columns.name.push_back(name);
    m_columns.sourceRow.push_back(sourceRow);
}

void TableBuilder::reserve(std::size_t events)
{
    m_reserved = events;
    m_columns.track.reserve(events);
    m_columns.start.reserve(events);
    m_columns.duration.reserve(events);
    m_columns.name.reserve(events);
    m_columns.sourceRow.reserve(events);
}

void TableBuilder::rewrite(Column column, std::span<const std::uint32_t> values)
{
    const auto ofPart = [&](EventColumns& part) {
        for (std::uint32_t& value : part.*column)
            value = values[value];
    };
    std::ranges::for_each(m_parts, ofPart);
    ofPart(m_columns);
}

void TableBuilder::addLastEnds(std::map<GlobalId, Ns>& ends) const
{
    const auto look = [&](const EventColumns& part) {
        std::vector<Ns*> ofTrack(part.keys.empty() ? m_keys.size() : part.keys.size());
        for (std::size_t i = 0; i < part.size(); ++i) {
            const std::uint32_t track = part.track[i];
            const Ns end = part.start[i] + part.durationAt(i);
            Ns*& last = ofTrack[track];
            if (!last)
                last = &ends.try_emplace(m_keys[part.keys.empty() ? track : part.keys[track]].owner, end)
                            .first->second;
            *last = std::max(*last, end);
        }
    };
    std::ranges::for_each(m_parts, look);
    look(m_columns);
}

void TableBuilder::setAside()
{
    if (m_columns.size() == 0)
        return;
    m_appended += m_columns.size();
    m_parts.push_back(std::move(m_columns));
    m_columns = {};
}

void TableBuilder::joinParts()
{
    setAside();
    for (EventColumns& part : m_parts)
        m_columns.append(std::move(part));
    m_parts.clear();
    m_appended = 0;
}

void TableBuilder::append(TableBuilder&& other)
{
    std::vector<std::uint32_t> translated;
    translated.reserve(other.m_keys.size());
    for (const TrackKey& key : other.m_keys)
        translated.push_back(track(key));
    setAside();
    other.setAside();
    for (EventColumns& part : other.m_parts) {
        if (part.keys.empty())
            part.keys = translated;
        else
            std::ranges::for_each(part.keys, [&](std::uint32_t& key) { key = translated[key]; });
        m_appended += part.size();
        m_parts.push_back(std::move(part));
    }
    m_table.sourceRows += other.m_table.sourceRows;
    m_table.leftOut += other.m_table.leftOut;
    other.m_parts.clear();
    other.m_appended = 0;
    truncate(m_mostEvents);
}

void TableBuilder::truncate(std::size_t most)
{
    if (size() <= most)
        return;
    m_table.leftOut += size() - most;
    setAside();
    std::size_t left = most;
    for (EventColumns& part : m_parts) {
        part.truncate(left);
        left -= part.size();
    }
    std::erase_if(m_parts, [](const EventColumns& part) { return part.size() == 0; });
    m_appended = most;
}

void TableBuilder::limitDurations()
{
    constexpr std::size_t fewShort = maxTotalDuration >> 32U;
    const auto hasLong = [](const EventColumns& part) { return !part.longDurations.empty(); };
    if (size() <= fewShort && std::ranges::none_of(m_parts, hasLong))
        return;
    Ns total = 0;
    for (const EventColumns& part : m_parts) {
        for (std::size_t i = 0; i < part.size(); ++i)
            total = saturatingAdd(total, part.durationAt(i));
    }
    if (total <= maxTotalDuration)
        return;
    total = 0;
    for (EventColumns& part : m_parts) {
        for (std::size_t i = 0; i < part.size(); ++i) {
            const Ns length = part.durationAt(i);
            if (saturatingAdd(total, length) <= maxTotalDuration) {
                total += length;
                continue;
            }
            part.clearDuration(i);
            ++m_table.shortened;
        }
    }
}

void TableBuilder::limitBytes()
{
    std::uint64_t total = 0;
    for (EventColumns& part : m_parts) {
        for (std::uint64_t& bytes : part.bytes) {
            if (bytes <= maxTotalBytes - total) {
                total += bytes;
                continue;
            }
            bytes = 0;
            ++m_table.withoutBytes;
        }
    }
}

std::vector<std::uint32_t> TableBuilder::sortKeys(std::span<const Ns> earliest)
{
    // By their first events, as they would come in rows sorted by time: rows of a report have no order.
    std::vector<std::uint32_t> order(m_keys.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto placeOf = [&](std::uint32_t t) {
        const TrackKey& key = m_keys[t];
        return std::tuple(earliest[t], key.owner, key.device, key.context, key.stream, raw(key.source));
    };
    std::ranges::stable_sort(order, {}, placeOf);
    std::vector<std::uint32_t> place(order.size());
    std::vector<TrackKey> keys;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        keys.push_back(m_keys[order[i]]);
    }
    m_keys = std::move(keys);
    return place;
}

std::vector<std::uint32_t> TableBuilder::groupByTrack()
{
    const std::size_t threads = threadsFor(size());
    const TrackSpread spread(m_parts, m_keys.size(), threads);
    const std::vector<std::uint32_t> place = sortKeys(spread.earliest);
    std::vector<std::uint32_t> counts(place.size());
    for (std::size_t key = 0; key < place.size(); ++key)
        counts[place[key]] = spread.count[key];
    if (placeRows(m_parts, spread, place, threads)) {
        m_columns = gathered(m_parts, threads);
        return counts;
    }
    if (!m_parts.empty())
        m_columns = std::move(m_parts.front());
    m_columns.forEachColumn([](auto& column) { trim(column); });
    trim(m_columns.duration);
    return counts;
}

void TableBuilder::foldEqual(const std::function<bool(const TrackKey&)>& folds,
    const std::function<std::uint32_t(std::uint32_t, std::size_t)>& attributeFor)
{
    joinParts();
    std::vector<bool> foldsTrack;
    for (const TrackKey& key : m_keys)
        foldsTrack.push_back(folds(key));
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_columns.size(); ++i) {
        if (foldsTrack[m_columns.track[i]])
            order.push_back(i);
    }
    const auto identity = [this](std::uint32_t i) {
        return std::tuple(m_columns.track[i], m_columns.start[i], m_columns.durationAt(i),
            raw(m_columns.name[i]), m_columns.attribute[i]);
    };
    std::ranges::stable_sort(order, {}, identity);
    std::vector<bool> gone(m_columns.size());
    bool any = false;
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        while (last < order.size() && identity(order[last]) == identity(order[first]))
            ++last;
        for (const std::uint32_t again : std::span(order).subspan(first + 1, last - first - 1))
            gone[again] = any = true;
        if (last - first > 1)
            m_columns.attribute[order[first]] = attributeFor(m_columns.attribute[order[first]], last - first);
    }
    if (any)
        m_columns.erase(gone);
}

void TableBuilder::finishInto(EventTable& table)
{
    setAside();
    limitDurations();
    limitBytes();
    const std::vector<std::uint32_t> counts = groupByTrack();
    DurationParts durations{std::move(m_columns.duration), {}, {}};
    for (const auto& [row, length] : m_columns.longDurations) {
        durations.rows.push_back(row);
        durations.lengths.push_back(length);
    }
    m_table.duration = DurationColumn(std::move(durations));
    m_table.start = std::move(m_columns.start);
    m_table.name = std::move(m_columns.name);
    m_table.sourceRow = std::move(m_columns.sourceRow);
    m_table.correlation = std::move(m_columns.correlation);
    m_table.bytes = std::move(m_columns.bytes);
    m_table.callchain = std::move(m_columns.callchain);
    m_table.attribute = std::move(m_columns.attribute);
    const auto lanes = sortIntoLanes(m_table, m_columns.address, counts, threadsFor(m_table.size()));
    EventIndex first = 0;
    for (std::size_t t = 0; t < m_keys.size(); ++t) {
        const TrackKey& key = m_keys[t];
        m_table.tracks.push_back({key.owner, key.device, key.context, key.stream, key.greenContext,
            key.family, key.source, static_cast<std::uint32_t>(m_table.lanes.size()),
            static_cast<std::uint32_t>(lanes[t].size()), first, counts[t]});
        for (const std::uint32_t inLane : lanes[t]) {
            m_table.lanes.push_back({first, inLane});
            first += inLane;
        }
    }
    m_table.indexBlocks();
    table = std::move(m_table);
    EventColumns left;
    left.address = std::move(m_columns.address);
    *this = TableBuilder(table.kind, m_mostEvents);
    m_columns.address = std::move(left.address);
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
