#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

struct EventTable;

/// Events in the order of adding, one vector per column, as TableBuilder collects them. Columns are those of
/// EventTable; optional ones are empty.
struct EventColumns {
    std::vector<std::uint32_t> track; ///< a row of `keys`; of the builder's own keys where that is empty
    std::vector<std::uint32_t> keys; ///< index into the builder's list of tracks
    std::vector<Ns> start;
    std::vector<std::uint32_t> duration; ///< DurationColumn::escape: see longDurations
    std::vector<std::pair<std::uint64_t, Ns>> longDurations; ///< (row, length), by row
    std::vector<StringId> name;
    std::vector<std::uint32_t> sourceRow;
    std::vector<std::uint32_t> correlation;
    std::vector<std::uint64_t> bytes;
    std::vector<std::uint32_t> callchain;
    std::vector<std::uint32_t> attribute;
    std::vector<std::uint64_t> address;

    std::size_t size() const { return start.size(); }
    /// `length` must not be negative.
    void addDuration(Ns length);
    Ns durationAt(std::size_t row) const;
    /// Makes a mark of the event in row `row`.
    void clearDuration(std::size_t row);
    /// Leaves the first `rows` rows.
    void truncate(std::size_t rows);
    /// Removes the rows for which `gone` is true.
    void erase(const std::vector<bool>& gone);
    /// Adds the rows of `other`.
    void append(EventColumns&& other);

    /// Calls visit(column) for each column but that of durations; the same for two at once.
    template <typename Visit> void forEachColumn(Visit&& visit)
    {
        visit(track), visit(start), visit(name), visit(sourceRow), visit(correlation), visit(bytes);
        visit(callchain), visit(attribute), visit(address);
    }
};

/// How often each track comes in parts, and when first.
struct TrackSpread {
    std::vector<std::uint32_t> count; ///< by the builder's keys
    std::vector<Ns> earliest; ///< the same
    std::vector<std::vector<std::uint32_t>> countInPart; ///< by the part's keys

    TrackSpread(std::span<const EventColumns> parts, std::size_t keyCount, std::size_t threads);
};

/// Computes the new rows of `parts`, one part after another: each track becomes one run, in the order of
/// `place` (by the builder's keys), with its rows in order. EventColumns::track becomes the new row. False
/// when every row stays.
bool placeRows(std::span<EventColumns> parts, const TrackSpread& spread, std::span<const std::uint32_t> place,
    std::size_t threads);

/// Moves the rows of `parts` to the places of placeRows() into one set of columns, column by column: at most
/// one of them exists twice. Leaves `parts` empty.
EventColumns gathered(std::vector<EventColumns>& parts, std::size_t threads);

} // namespace warpline
