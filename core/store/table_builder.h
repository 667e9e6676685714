#pragma once

#include "core/store/event_columns.h"
#include "core/store/event_table.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpline {

/// Identifies a track of a table.
struct TrackKey {
    GlobalId owner = 0;
    std::int32_t device = -1;
    std::int32_t context = -1;
    std::int32_t stream = -1;
    std::int32_t greenContext = -1;
    StringId family{};
    StringId source{};
    friend bool operator==(const TrackKey&, const TrackKey&) = default;
};

/// Hashes of records that events share.
struct RecordHash {
    std::size_t operator()(const KernelLaunch& l) const;
    std::size_t operator()(const CopyAttributes& c) const;
    std::size_t operator()(const NvtxAttributes& a) const;
    std::size_t operator()(const MessageFacts& m) const;
    std::size_t operator()(const GpuMemoryOperation& operation) const;
    std::size_t operator()(const FaultSite& site) const;
    std::size_t operator()(const GraphNode& node) const;
};

/// Equal records share one row: keeps wide attributes of events in four bytes an event.
template <typename Record> class RecordPool {
public:
    std::uint32_t intern(const Record& record)
    {
        if (!records.empty() && m_last < records.size() && records[m_last] == record)
            return m_last;
        const auto [place, added] = m_rows.try_emplace(record, static_cast<std::uint32_t>(records.size()));
        if (added)
            records.push_back(record);
        m_last = place->second;
        return m_last;
    }

    std::vector<Record> records;

private:
    std::unordered_map<Record, std::uint32_t, RecordHash> m_rows;
    std::uint32_t m_last = 0;
};

/// The maximum number of events for an EventIndex, and for work on a device for a packed link.
constexpr std::size_t maxEventsOf(EventKind kind)
{
    return runsOnDevice(kind) ? maxLinkedEvents : std::size_t{noIndex};
}

/// The maximum sum of a table's durations in ns, about nine years, so that sums need no overflow checks.
inline constexpr Ns maxTotalDuration = Ns{1} << 58;

/// The maximum sum of a table's bytes, an exabyte, for the same reason.
inline constexpr std::uint64_t maxTotalBytes = std::uint64_t{1} << 60U;

/// Collects events in any order, then sorts them into tracks and lanes: the only maker of EventTables.
/// Optional columns are those for which addX() was called on every event.
class TableBuilder {
public:
    /// Accepts `maxEvents` events; later ones are left out and counted. 0: the kind's maximum, see
    /// maxEventsOf().
    explicit TableBuilder(EventKind kind, std::size_t maxEvents = 0);

    /// The track of `key`, added when new. Cheap when the same key comes again.
    std::uint32_t track(const TrackKey& key);
    /// Appends an event. An `end` before `start` makes a mark at `start`; the caller logs it.
    void add(std::uint32_t track, Ns start, Ns end, StringId name, std::uint32_t sourceRow);
    // Optional columns of the event added last.
    void addCorrelation(std::uint32_t id) { addTo(m_columns.correlation, id); }
    void addBytes(std::uint64_t bytes) { addTo(m_columns.bytes, bytes); }
    void addCallchain(std::uint32_t id) { addTo(m_columns.callchain, id); }
    void addAttribute(std::uint32_t attribute) { addTo(m_columns.attribute, attribute); }
    void addAddress(std::uint64_t address) { addTo(m_columns.address, address); }

    /// Reserves `events` rows in every used column, because columns that grow by doubling would take twice
    /// the memory and copy everything. Unused room costs address space only.
    void reserve(std::size_t events);
    std::size_t size() const { return m_appended + m_columns.size(); }
    EventKind kind() const { return m_table.kind; }
    /// Counts rows of the report that stand behind the table, also those that became no event.
    void countSourceRows(std::uint64_t rows) { m_table.sourceRows += rows; }
    /// Rewrites the attribute column from rows of `from` to rows of `to`, adding records as needed. Nothing
    /// when they are the same pool.
    template <typename Pool> void translateAttributes(Pool& to, const Pool& from)
    {
        if (&to == &from)
            return;
        std::vector<std::uint32_t> rows;
        rows.reserve(from.records.size());
        for (const auto& record : from.records)
            rows.push_back(to.intern(record));
        rewrite(&EventColumns::attribute, rows);
    }
    /// Rewrites the column of call stacks: each id becomes rows[id].
    void translateCallchains(std::span<const std::uint32_t> rows) { rewrite(&EventColumns::callchain, rows); }
    /// Moves the events of `other` (same kind, same columns) to the end, without copying. Attribute rows that
    /// refer to a RecordPool must already be rows of this builder's pool.
    void append(TableBuilder&& other);

    /// Merges events with equal track, start, duration, name and attribute, where `folds(track)` is true; the
    /// first of them stays. Its attribute becomes `attributeFor(attribute, number)`. O(n log n) in the events
    /// of such tracks, O(n) when any is folded.
    void foldEqual(const std::function<bool(const TrackKey&)>& folds,
        const std::function<std::uint32_t(std::uint32_t, std::size_t)>& attributeFor);

    /// Makes `ends` of each owner of tracks at least the end of its last event. O(events).
    void addLastEnds(std::map<GlobalId, Ns>& ends) const;

    /// Sorts by track, lane, start, and moves the events to `table`, whose kind-specific parts are the
    /// caller's. Leaves the builder empty.
    void finishInto(EventTable& table);
    /// The `address` column in the order finishInto() gave.
    std::vector<std::uint64_t> takeAddresses() { return std::move(m_columns.address); }

private:
    struct KeyHash {
        std::size_t operator()(const TrackKey& key) const;
    };

    template <typename T> void addTo(std::vector<T>& column, T value)
    {
        if (m_leftOut)
            return;
        if (column.empty())
            column.reserve(m_reserved);
        column.push_back(value);
    }

    using Column = std::vector<std::uint32_t> EventColumns::*;
    /// Replaces each value of `column` by values[value].
    void rewrite(Column column, std::span<const std::uint32_t> values);
    /// Makes the rows added up to now a part, or joins all parts.
    void setAside();
    void joinParts();

    /// The place of each of m_keys when they are sorted by their first events; sorts them.
    std::vector<std::uint32_t> sortKeys(std::span<const Ns> earliest);
    /// Brings all events together, grouped by track; how many each track has.
    std::vector<std::uint32_t> groupByTrack();

    /// Leaves out the events after the first `most`.
    void truncate(std::size_t most);
    /// Makes marks of events once all durations together reach maxTotalDuration.
    void limitDurations();
    /// Takes the bytes away from events once all together reach maxTotalBytes.
    void limitBytes();

    EventTable m_table; ///< without its events
    std::size_t m_mostEvents;
    bool m_leftOut = false; ///< the event added last
    std::size_t m_reserved = 0;
    std::vector<EventColumns> m_parts; ///< before m_columns; none is empty
    std::size_t m_appended = 0; ///< events in m_parts
    EventColumns m_columns;
    std::vector<TrackKey> m_keys;
    std::unordered_map<TrackKey, std::uint32_t, KeyHash> m_tracks;
    /// Tracks that were asked for, by a few bits of their keys: events of several threads take turns.
    std::array<std::uint32_t, 64> m_recent{};
};

/// Builds a table of a kind without parts of its own: finishInto() on a new EventTable. Library calls get a
/// table without messages, graph creation one without nodes.
std::shared_ptr<const EventTable> finish(TableBuilder& builder);

} // namespace warpline
