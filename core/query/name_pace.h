#pragma once

#include "core/query/named_events.h"

namespace warpline {

/// How durations of one name went, column by column.
struct PaceColumn {
    std::uint64_t count = 0; ///< events that start in it; 0: nothing of the rest
    Ns least = 0;
    Ns most = 0;
    double mean = 0;
    EventIndex longest = noIndex;
    std::uint64_t outliers = 0; ///< longer than the fence
};

struct Pace {
    std::vector<PaceColumn> columns;
    TimeRange window; ///< what columns are parts of, by time
    bool byInstance = false; ///< columns have equal numbers of events instead, in order of start
    std::uint64_t outliers = 0;
};

/// `columns` equal parts of `window`: an event belongs to the part that it starts in; what starts outside
/// counts for the nearest. `events` are in the order of their table. O(n), on all processors: the starts
/// alone of those are looked at where a part ends. Throws Stopped.
Pace paceOverTime(const EventTable& table, std::span<const EventIndex> events, TimeRange window,
    std::size_t columns, double fence, const std::stop_token& stop = {});
/// Equal numbers of instances, in order of start, ties by place in the table: at most `columns` columns.
/// `events` are in the order of their table. As paceOverTime(), where many lanes have them O(n log n).
Pace paceOverInstances(const EventTable& table, std::span<const EventIndex> events, std::size_t columns,
    double fence, const std::stop_token& stop = {});
/// How many of `events`, which are in the order of their table, come before `event` in that order. O(lanes
/// log n).
std::uint64_t instanceOf(const EventTable& table, std::span<const EventIndex> events, EventIndex event);

/// `events` by start, ties by place in the table. O(n) when they are, else O(n log n).
std::vector<EventIndex> startsInOrder(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop = {});

} // namespace warpline
