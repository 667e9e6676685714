#include "core/query/name_pace.h"

#include "core/base/radix_sort.h"
#include "core/base/stop.h"
#include "core/query/event_passes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

/// Joins `later`, the following part, to `to`. Means are sums until finish().
void join(PaceColumn& to, const PaceColumn& later)
{
    if (later.count == 0)
        return;
    if (to.count == 0) {
        to = later;
        return;
    }
    if (later.most > to.most) {
        to.most = later.most;
        to.longest = later.longest;
    }
    to.least = std::min(to.least, later.least);
    to.mean += later.mean;
    to.outliers += later.outliers;
    to.count += later.count;
}

/// Durations above `fence` are above this, because they are whole.
Ns wholeFence(double fence)
{
    constexpr double most = 9e18;
    return static_cast<Ns>(std::floor(std::clamp(fence, -1.0, most)));
}

/// Columns that several threads fill.
struct Columns {
    std::vector<PaceColumn> all;
    Ns fence = 0; ///< a longer duration is an outlier

    void add(std::size_t column, const EventTable& table, std::span<const EventIndex> events,
        const std::stop_token& stop)
    {
        inDurationBlocks(
            table, events, stop, [&](std::span<const EventIndex> block, std::span<const Ns> durations) {
                PaceColumn part{.count = block.size(), .least = durations.front(), .most = durations.front()};
                Ns sum = 0;
                for (const Ns duration : durations) {
                    sum += duration;
                    part.least = std::min(part.least, duration);
                    part.most = std::max(part.most, duration);
                    part.outliers += duration > fence ? 1 : 0;
                }
                part.mean = static_cast<double>(sum);
                part.longest = block[static_cast<std::size_t>(
                    std::ranges::find(durations, part.most) - durations.begin())];
                join(all[column], part);
            });
    }
    void join(const Columns& later)
    {
        for (std::size_t c = 0; c < all.size(); ++c)
            join(all[c], later.all[c]);
    }
    static void join(PaceColumn& to, const PaceColumn& later) { warpline::join(to, later); }
};

void finish(Pace& pace)
{
    for (PaceColumn& column : pace.columns) {
        column.mean = column.count > 0 ? column.mean / static_cast<double>(column.count) : 0;
        pace.outliers += column.outliers;
    }
}

/// The number of leading `events`, all of one lane, that satisfy the monotonic predicate `passes`. O(log of
/// the result).
template <typename Passes> std::size_t countWhile(std::span<const EventIndex> events, Passes&& passes)
{
    std::size_t step = 1;
    while (step < events.size() && passes(events[step]))
        step *= 2;
    const auto searched = events.first(std::min(step, events.size())).subspan(step / 2);
    return step / 2
        + static_cast<std::size_t>(std::ranges::partition_point(searched, passes) - searched.begin());
}

/// The leading `events` of one lane.
std::span<const EventIndex> ofOneLane(const EventTable& table, std::span<const EventIndex> events)
{
    const Lane& lane = table.lanes[table.laneIndexOf(events.front())];
    return events.first(countWhile(events, [&](EventIndex i) { return i < lane.first + lane.count; }));
}

/// The events of each lane that has some.
std::vector<std::span<const EventIndex>> byLane(
    const EventTable& table, std::span<const EventIndex> events, std::size_t most)
{
    std::vector<std::span<const EventIndex>> lanes;
    while (!events.empty() && lanes.size() <= most) {
        lanes.push_back(ofOneLane(table, events));
        events = events.subspan(lanes.back().size());
    }
    return lanes;
}

constexpr std::size_t manyLanes
    = 64; // to look into each of them at each end of a column costs more than order

/// The first `count` instances of all lanes by start, as numbers per lane. `begins` is the previous position.
std::vector<std::size_t> firstInstances(const EventTable& table,
    const std::vector<std::span<const EventIndex>>& lanes, const std::vector<std::size_t>& begins,
    std::size_t count)
{
    Ns low = std::numeric_limits<Ns>::max(); // the start of the last of them is in [low, high]
    Ns high = std::numeric_limits<Ns>::min();
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        if (begins[l] == lanes[l].size())
            continue;
        low = std::min(low, table.start[lanes[l][begins[l]]]);
        const std::size_t last = std::min(lanes[l].size() - 1, begins[l] + count);
        high = std::max(high, table.start[lanes[l][last]]);
    }
    const auto startingBefore = [&](std::size_t l, Ns time) {
        return begins[l]
            + countWhile(lanes[l].subspan(begins[l]), [&](EventIndex i) { return table.start[i] < time; });
    };
    while (low < high) { // the first time by which so many have started
        const Ns middle = low + (high - low) / 2;
        std::size_t started = 0;
        for (std::size_t l = 0; l < lanes.size(); ++l)
            started += startingBefore(l, middle + 1);
        if (started >= count)
            high = middle;
        else
            low = middle + 1;
    }
    std::vector<std::size_t> ends(lanes.size());
    std::size_t left = count;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        ends[l] = startingBefore(l, low);
        left -= ends[l];
    }
    for (std::size_t l = 0; l < lanes.size() && left > 0; ++l) { // those that start just then
        const std::size_t more = std::min(left, startingBefore(l, low + 1) - ends[l]);
        ends[l] += more;
        left -= more;
    }
    return ends;
}

/// The first instance of column `c`.
std::size_t firstOf(std::size_t c, std::size_t columns, std::size_t instances)
{
    return (c * instances + columns - 1) / columns;
}

} // namespace

Pace paceOverTime(const EventTable& table, std::span<const EventIndex> events, TimeRange window,
    std::size_t columns, double fence, const std::stop_token& stop)
{
    Pace pace;
    pace.window = window;
    const std::size_t count = std::max<std::size_t>(1, columns);
    const double scale = static_cast<double>(count) / static_cast<double>(std::max<Ns>(1, window.duration()));
    const double last = static_cast<double>(count - 1);
    const auto columnOf = [&](EventIndex i) {
        const double at = (static_cast<double>(table.start[i]) - static_cast<double>(window.start)) * scale;
        return static_cast<std::size_t>(std::clamp(at, 0.0, last));
    };
    const std::size_t threads = threadsFor(events.size());
    std::vector<Columns> parts(threads, Columns{std::vector<PaceColumn>(count), wholeFence(fence)});
    inParallel(threads, events.size(), [&](std::size_t thread, std::size_t first, std::size_t end) {
        auto left = events.subspan(first, end - first);
        while (!left.empty()) {
            for (auto lane = ofOneLane(table, left); !lane.empty();) {
                const std::size_t column = columnOf(lane.front());
                const std::size_t run = countWhile(lane, [&](EventIndex i) { return columnOf(i) == column; });
                parts[thread].add(column, table, lane.first(run), stop);
                lane = lane.subspan(run);
                left = left.subspan(run);
            }
        }
    });
    for (std::size_t t = 1; t < threads; ++t)
        parts.front().join(parts[t]);
    pace.columns = std::move(parts.front().all);
    finish(pace);
    return pace;
}

Pace paceOverInstances(const EventTable& table, std::span<const EventIndex> events, std::size_t columns,
    double fence, const std::stop_token& stop)
{
    Pace pace;
    pace.byInstance = true;
    Columns to{std::vector<PaceColumn>(std::max<std::size_t>(1, std::min(columns, events.size()))),
        wholeFence(fence)};
    const std::size_t count = to.all.size();
    const auto lanes = byLane(table, events, manyLanes);
    if (lanes.size() > manyLanes) {
        const std::vector<EventIndex> inOrder = startsInOrder(table, events, stop);
        for (std::size_t c = 0; c < count; ++c) {
            const std::size_t first = firstOf(c, count, inOrder.size());
            to.add(c, table, std::span(inOrder).subspan(first, firstOf(c + 1, count, inOrder.size()) - first),
                stop);
        }
    } else {
        std::vector<std::size_t> begins(lanes.size());
        for (std::size_t c = 0; c < count && !lanes.empty(); ++c) {
            auto ends = firstInstances(table, lanes, begins, firstOf(c + 1, count, events.size()));
            for (std::size_t l = 0; l < lanes.size(); ++l)
                to.add(c, table, lanes[l].subspan(begins[l], ends[l] - begins[l]), stop);
            begins = std::move(ends);
        }
    }
    pace.columns = std::move(to.all);
    finish(pace);
    return pace;
}

std::uint64_t instanceOf(const EventTable& table, std::span<const EventIndex> events, EventIndex event)
{
    std::uint64_t before = 0;
    while (!events.empty()) {
        const auto lane = ofOneLane(table, events);
        const auto isBefore = [&](EventIndex i) {
            return table.start[i] != table.start[event] ? table.start[i] < table.start[event] : i < event;
        };
        before += static_cast<std::uint64_t>(std::ranges::partition_point(lane, isBefore) - lane.begin());
        events = events.subspan(lane.size());
    }
    return before;
}

std::vector<EventIndex> startsInOrder(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop)
{
    std::vector<EventIndex> order(events.begin(), events.end());
    const auto startOf = [&](EventIndex i) { return table.start[i]; };
    if (std::ranges::is_sorted(order, {}, startOf))
        return order;
    const auto [low, high] = std::ranges::minmax(order, {}, startOf);
    const auto first = static_cast<std::uint64_t>(table.start[low]);
    const auto keyBits
        = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(table.start[high]) - first));
    const auto placeBits = static_cast<unsigned>(std::bit_width(order.size()));
    if (keyBits + placeBits > 64) {
        std::ranges::stable_sort(order, {}, startOf);
        return order;
    }
    std::vector<std::uint64_t> keyed(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        keyed[i] = (static_cast<std::uint64_t>(table.start[order[i]]) - first) << placeBits | i;
    radixSort(keyed, placeBits, placeBits + keyBits, stop);
    throwIfStopped(stop);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = events[keyed[i] & ((std::uint64_t{1} << placeBits) - 1)];
    return order;
}

} // namespace warpline
