#include "core/store/lane_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
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

} // namespace

void sortByStart(const EventTable& table, std::span<std::uint32_t> order)
{
    const auto earlier = [&table](std::uint32_t a, std::uint32_t b) {
        if (table.start[a] != table.start[b])
            return table.start[a] < table.start[b];
        if (table.duration[a] != table.duration[b])
            return table.duration[a] > table.duration[b];
        // Rows of a report have no order. Ranges keep it all the same: of two that are equal, the one that
        // was written first is the outer one.
        if (table.kind == EventKind::Nvtx)
            return table.sourceRow[a] < table.sourceRow[b];
        // What ranges do on the GPU nests as they do: their events come by depth. Names would follow the
        // order in which threads happened to read them.
        if (table.kind == EventKind::NvtxProjected && table.attribute[a] != table.attribute[b])
            return table.attribute[a] < table.attribute[b];
        if (!table.correlation.empty() && table.correlation[a] != table.correlation[b])
            return table.correlation[a] < table.correlation[b];
        return table.name[a] < table.name[b];
    };
    if (!std::is_sorted(order.begin(), order.end(), earlier))
        std::stable_sort(order.begin(), order.end(), earlier);
}

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

} // namespace warpline
