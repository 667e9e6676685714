#include "core/store/lane_order.h"

#include "core/base/parallel.h"
#include "core/base/release.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

namespace warpline {

namespace {

/// Hands out the lowest free lane. `lane[i]` is set for the events of `order`, which is sorted by start.
std::uint32_t assignLanes(
    const EventTable& table, std::span<const std::uint32_t> order, std::span<std::uint32_t> lane)
{
    using Busy = std::pair<Ns, std::uint32_t>; // end, lane
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> freed;
    std::uint32_t lanes = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Ns start = table.start[order[i]];
        while (!busy.empty() && busy.top().first <= start) {
            freed.push(busy.top().second);
            busy.pop();
        }
        if (freed.empty())
            freed.push(lanes++);
        lane[i] = freed.top();
        freed.pop();
        busy.emplace(start + table.duration[order[i]], lane[i]);
    }
    return lanes;
}

bool overlapsAnything(const EventTable& table, std::span<const std::uint32_t> order)
{
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (table.start[order[i]] < table.end(order[i - 1]))
            return true;
    }
    return false;
}

/// True when event `a` of a track comes before `b`.
bool comesBefore(const EventTable& table, std::uint32_t a, std::uint32_t b)
{
    if (table.start[a] != table.start[b])
        return table.start[a] < table.start[b];
    if (table.duration[a] != table.duration[b])
        return table.duration[a] > table.duration[b];
    // Rows of a report have no order. Ranges keep it all the same: of two that are equal, the one that
    // was written first is the outer one.
    if (table.kind == EventKind::Nvtx)
        return table.sourceRow[a] < table.sourceRow[b];
    // GPU projections nest like their ranges: sorts them by depth, because name ids follow the order in which
    // threads read them.
    if (table.kind == EventKind::NvtxProjected && table.attribute[a] != table.attribute[b])
        return table.attribute[a] < table.attribute[b];
    if (!table.correlation.empty() && table.correlation[a] != table.correlation[b])
        return table.correlation[a] < table.correlation[b];
    return table.name[a] < table.name[b];
}

/// True when the events [first, last) are one lane as they are.
bool isLane(const EventTable& table, EventIndex first, EventIndex last)
{
    for (EventIndex i = first + 1; i < last; ++i) {
        const Ns start = table.start[i];
        if (start < table.end(i - 1) || (start == table.start[i - 1] && comesBefore(table, i, i - 1)))
            return false;
    }
    return true;
}

void sortByStart(const EventTable& table, std::span<std::uint32_t> order)
{
    const auto earlier = [&table](std::uint32_t a, std::uint32_t b) { return comesBefore(table, a, b); };
    if (!std::is_sorted(order.begin(), order.end(), earlier))
        std::stable_sort(order.begin(), order.end(), earlier);
}

/// Reorders `order` (sorted by start) by lane, and returns the number of events in each lane.
std::vector<std::uint32_t> groupByLane(const EventTable& table, std::span<std::uint32_t> order)
{
    if (!overlapsAnything(table, order))
        return {static_cast<std::uint32_t>(order.size())};
    std::vector<std::uint32_t> lane(order.size());
    std::vector<std::uint32_t> count(assignLanes(table, order, lane), 0);
    for (const std::uint32_t l : lane)
        ++count[l];
    std::vector<std::uint32_t> place(count.size(), 0);
    std::exclusive_scan(count.begin(), count.end(), place.begin(), 0U);
    std::vector<std::uint32_t> grouped(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        grouped[place[lane[i]]++] = order[i];
    std::copy(grouped.begin(), grouped.end(), order.begin());
    return count;
}

/// The rows that the events of a track come from, when they are not in order.
struct TrackOrder {
    EventIndex first = 0;
    std::vector<std::uint32_t> from;
};

template <typename T> void permute(std::vector<T>& column, const TrackOrder& order, std::vector<T>& scratch)
{
    if (column.empty())
        return;
    scratch.resize(order.from.size());
    for (std::size_t i = 0; i < order.from.size(); ++i)
        scratch[i] = column[order.from[i]];
    std::copy(scratch.begin(), scratch.end(), column.begin() + order.first);
}

/// Moves the long durations with their cells.
void moveLong(DurationParts& durations, std::span<const TrackOrder> orders)
{
    std::unordered_map<std::uint64_t, Ns> lengths;
    for (std::size_t i = 0; i < durations.rows.size(); ++i)
        lengths.emplace(durations.rows[i], durations.lengths[i]);
    durations.rows.clear();
    durations.lengths.clear();
    const auto add = [&](std::uint64_t row, Ns length) {
        durations.rows.push_back(row);
        durations.lengths.push_back(length);
    };
    for (const TrackOrder& order : orders) {
        for (std::size_t i = 0; i < order.from.size(); ++i) {
            if (durations.cells[order.first + i] == DurationColumn::escape)
                add(order.first + i, lengths.extract(order.from[i]).mapped());
        }
    }
    for (const auto& [row, length] : lengths)
        add(row, length);
}

void permuteColumns(
    EventTable& table, DurationParts& durations, std::vector<std::uint64_t>& address, const TrackOrder& order)
{
    std::vector<std::uint32_t> narrow;
    for (auto* const column :
        {&durations.cells, &table.sourceRow, &table.correlation, &table.callchain, &table.attribute})
        permute(*column, order, narrow);
    release(narrow);
    std::vector<StringId> names;
    permute(table.name, order, names);
    release(names);
    std::vector<std::uint64_t> wide;
    permute(table.bytes, order, wide);
    permute(address, order, wide);
    release(wide);
    std::vector<Ns> starts;
    permute(table.start, order, starts);
}

} // namespace

std::vector<std::vector<std::uint32_t>> sortIntoLanes(EventTable& table, std::vector<std::uint64_t>& address,
    std::span<const std::uint32_t> counts, std::size_t threads)
{
    std::vector<TrackOrder> orders(counts.size());
    for (EventIndex t = 0, first = 0; t < counts.size(); first += counts[t++])
        orders[t].first = first;
    std::vector<std::vector<std::uint32_t>> lanes(counts.size());
    handOut(threads, counts.size(), [&](std::size_t t) {
        TrackOrder& order = orders[t];
        lanes[t] = {counts[t]};
        if (isLane(table, order.first, order.first + counts[t]))
            return;
        order.from.resize(counts[t]);
        std::iota(order.from.begin(), order.from.end(), order.first);
        sortByStart(table, order.from);
        lanes[t] = groupByLane(table, order.from);
    });
    std::erase_if(orders, [](const TrackOrder& order) { return order.from.empty(); });
    if (orders.empty())
        return lanes;
    DurationParts durations = table.duration.take();
    handOut(
        threads, orders.size(), [&](std::size_t i) { permuteColumns(table, durations, address, orders[i]); });
    if (!durations.rows.empty())
        moveLong(durations, orders);
    table.duration = DurationColumn(std::move(durations));
    return lanes;
}

} // namespace warpline
