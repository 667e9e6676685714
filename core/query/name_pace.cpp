#include "core/query/name_pace.h"

#include "core/base/radix_sort.h"
#include "core/base/stop.h"

#include <algorithm>
#include <bit>

namespace warpline {

namespace {

void add(PaceColumn& column, Ns duration, EventIndex event, double fence)
{
    if (column.count == 0 || duration > column.most) {
        column.most = duration;
        column.longest = event;
    }
    column.least = column.count == 0 ? duration : std::min(column.least, duration);
    column.mean += static_cast<double>(duration); // a sum until finish()
    column.outliers += static_cast<double>(duration) > fence ? 1 : 0;
    ++column.count;
}

void finish(Pace& pace)
{
    for (PaceColumn& column : pace.columns) {
        column.mean = column.count > 0 ? column.mean / static_cast<double>(column.count) : 0;
        pace.outliers += column.outliers;
    }
}

} // namespace

Pace paceOverTime(const EventTable& table, std::span<const EventIndex> events, TimeRange window,
    std::size_t columns, double fence, const std::stop_token& stop)
{
    Pace pace;
    pace.window = window;
    pace.columns.resize(std::max<std::size_t>(1, columns));
    const double scale
        = static_cast<double>(pace.columns.size()) / static_cast<double>(std::max<Ns>(1, window.duration()));
    const double last = static_cast<double>(pace.columns.size() - 1);
    for (const EventIndex i : stoppableItems(events, stop)) {
        const double at = (static_cast<double>(table.start[i]) - static_cast<double>(window.start)) * scale;
        add(pace.columns[static_cast<std::size_t>(std::clamp(at, 0.0, last))], table.duration[i], i, fence);
    }
    finish(pace);
    return pace;
}

Pace paceOverInstances(const EventTable& table, std::span<const EventIndex> inOrder, std::size_t columns,
    double fence, const std::stop_token& stop)
{
    Pace pace;
    pace.byInstance = true;
    pace.columns.resize(std::max<std::size_t>(1, std::min(columns, inOrder.size())));
    for (const std::size_t i : stoppable(std::size_t{0}, inOrder.size(), stop)) {
        const std::size_t at = i * pace.columns.size() / inOrder.size();
        add(pace.columns[at], table.duration[inOrder[i]], inOrder[i], fence);
    }
    finish(pace);
    return pace;
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
