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
    TimeRange window; ///< the time range of the columns
    bool byInstance = false; ///< columns have equal numbers of events instead, in order of start
    std::uint64_t outliers = 0;
};

/// Divides `window` into `columns` equal parts: an event belongs to the part in which it starts; starts
/// outside count for the nearest part. `events` are in the order of their table. O(n), on all processors;
/// starts are only read at the ends of parts. Throws Stopped.
Pace paceOverTime(const EventTable& table, std::span<const EventIndex> events, TimeRange window,
    std::size_t columns, double fence, const std::stop_token& stop = {});
/// Equal numbers of instances by start, ties by index: at most `columns` columns. `events` are in the order
/// of their table. See paceOverTime(); O(n log n) with many lanes.
Pace paceOverInstances(const EventTable& table, std::span<const EventIndex> events, std::size_t columns,
    double fence, const std::stop_token& stop = {});
/// How many of `events`, which are in the order of their table, come before `event` in that order. O(lanes
/// log n).
std::uint64_t instanceOf(const EventTable& table, std::span<const EventIndex> events, EventIndex event);

/// `events` by start, ties by place in the table. O(n) when they are, else O(n log n).
std::vector<EventIndex> startsInOrder(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop = {});

} // namespace warpline
