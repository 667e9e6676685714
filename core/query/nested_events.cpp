#include "core/query/nested_events.h"

#include "core/base/stop.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// What is known of a path before there are nodes.
struct PathSum {
    std::uint64_t ownCount = 0;
    Ns ownTotal = 0;
    std::uint64_t count = 0;
    Ns total = 0;
};

std::vector<std::uint32_t> pathsAround(
    const EnclosingRanges& ranges, std::span<const EventRef> events, const std::stop_token& stop)
{
    constexpr std::size_t few = 10'000; // to ask for each takes less than to ask for a whole table
    std::array<std::vector<std::uint32_t>, eventKindCount> ofKinds;
    std::vector<std::uint32_t> paths;
    paths.reserve(events.size());
    for (const EventRef event : stoppableItems(events, stop)) {
        std::uint32_t path = 0;
        if (events.size() < few) {
            path = ranges.pathOf(event);
        } else {
            auto& known = ofKinds[indexOf(event.kind)];
            if (known.empty())
                known = ranges.pathsOf(event.kind, stop);
            path = event.index < known.size() ? known[event.index] : 0;
        }
        if (event.kind == EventKind::Nvtx || event.kind == EventKind::NvtxProjected)
            path = ranges.nodes()[path].parent;
        paths.push_back(path);
    }
    return paths;
}

} // namespace

NestedEvents::NestedEvents(const Trace& trace, const EnclosingRanges& ranges,
    std::span<const EventRef> events, const std::stop_token& stop)
{
    if (events.empty())
        return;
    const std::vector<std::uint32_t> paths = pathsAround(ranges, events, stop);
    std::vector<PathSum> sums(ranges.nodes().size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        ++sums[paths[i]].ownCount;
        sums[paths[i]].ownTotal += trace.table(events[i].kind).duration[events[i].index];
    }
    std::vector<std::vector<std::uint32_t>> below(sums.size());
    for (auto path = static_cast<std::uint32_t>(sums.size()); path-- > 0;) { // parents have smaller numbers
        PathSum& sum = sums[path];
        sum.count += sum.ownCount;
        sum.total += sum.ownTotal;
        if (path == 0 || sum.count == 0)
            continue;
        const std::uint32_t parent = ranges.nodes()[path].parent;
        sums[parent].count += sum.count;
        sums[parent].total += sum.total;
        below[parent].push_back(path);
    }
    m_nodes.push_back({.count = sums[0].count, .total = sums[0].total});
    std::vector<std::uint32_t> nodeOf(sums.size());
    const auto add = [&](std::uint32_t path, std::uint32_t parent, const PathSum& sum) {
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        nodeOf[path] = node;
        m_nodes.push_back({.parent = parent,
            .depth = m_nodes[parent].depth + 1,
            .path = path,
            .place = m_nodes[parent].children++,
            .count = sum.count,
            .total = sum.total,
            .ownCount = sum.ownCount,
            .ownTotal = sum.ownTotal});
        m_nodes[parent].firstChild = node - m_nodes[node].place;
    };
    for (std::uint32_t node = 0; node < m_nodes.size(); ++node) {
        throwIfStopped(stop);
        auto& children = below[m_nodes[node].path];
        if (node != 0 && m_nodes[node].path == 0)
            continue; // what is in no range
        std::ranges::sort(children, [&](std::uint32_t a, std::uint32_t b) {
            return sums[a].total != sums[b].total ? sums[a].total > sums[b].total : a < b;
        });
        for (const std::uint32_t path : children)
            add(path, node, sums[path]);
        if (node == 0 && sums[0].ownCount > 0)
            add(0, 0, {sums[0].ownCount, sums[0].ownTotal, sums[0].ownCount, sums[0].ownTotal});
    }
    std::vector<std::uint64_t> next(m_nodes.size());
    std::uint64_t first = 0;
    for (std::size_t node = 0; node < m_nodes.size(); ++node) {
        next[node] = m_nodes[node].firstEvent = first;
        first += m_nodes[node].ownCount;
    }
    m_events.resize(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        m_events[next[nodeOf[paths[i]]]++] = events[i];
}

std::vector<std::uint32_t> NestedEvents::inOrder() const
{
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> open{0};
    while (!open.empty() && !m_nodes.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (node != 0)
            order.push_back(node);
        for (std::uint32_t i = m_nodes[node].children; i-- > 0;)
            open.push_back(m_nodes[node].firstChild + i);
    }
    return order;
}

} // namespace warpline
