#include "core/query/nested_events.h"

#include "core/base/stop.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

/// Sums of a future node. The key is twice its path, plus one for launches by helpers in it; 1 is outside of
/// ranges.
struct KeySum {
    std::uint64_t ownCount = 0;
    Ns ownTotal = 0;
    std::uint64_t count = 0;
    Ns total = 0;
};

constexpr std::uint32_t keyOfNoRange = 1;
constexpr std::uint32_t pathOfKey(std::uint32_t key)
{
    return key / 2;
}
constexpr bool isByHelpers(std::uint32_t key)
{
    return key % 2 != 0;
}

/// The key that lies around `key`.
std::uint32_t parentOf(const EnclosingRanges& ranges, std::uint32_t key)
{
    const EnclosingRanges::Node& of = ranges.nodes()[pathOfKey(key)];
    if (key == keyOfNoRange || !isByHelpers(key))
        return key == keyOfNoRange ? 0 : 2 * of.parent;
    // Where the ranges of the helpers end, those begin in which they help.
    return of.byHelper ? 2 * of.parent + 1 : key - 1;
}

/// The key for `event`, whose own path ends at `place`.
std::uint32_t keyOf(const EnclosingRanges& ranges, EventRef event, EnclosingRanges::Place place)
{
    if (event.kind == EventKind::Nvtx || event.kind == EventKind::NvtxProjected)
        place.path = ranges.nodes()[place.path].parent;
    return place.path == 0 ? keyOfNoRange : 2 * place.path + (place.byHelper ? 1 : 0);
}

std::vector<std::uint32_t> keysAround(
    const EnclosingRanges& ranges, std::span<const EventRef> events, const std::stop_token& stop)
{
    constexpr std::size_t few = 10'000; // to ask for each takes less than to ask for a whole table
    std::array<std::vector<EnclosingRanges::Place>, eventKindCount> ofKinds;
    std::vector<std::uint32_t> keys;
    keys.reserve(events.size());
    for (const EventRef event : stoppableItems(events, stop)) {
        if (events.size() < few) {
            keys.push_back(keyOf(ranges, event, ranges.placeOf(event)));
            continue;
        }
        auto& known = ofKinds[indexOf(event.kind)];
        if (known.empty())
            known = ranges.placesOf(event.kind, stop);
        keys.push_back(keyOf(ranges, event, known[event.index]));
    }
    return keys;
}

} // namespace

NestedEvents::NestedEvents(const Trace& trace, const EnclosingRanges& ranges,
    std::span<const EventRef> events, const std::stop_token& stop)
{
    if (events.empty())
        return;
    const std::vector<std::uint32_t> keys = keysAround(ranges, events, stop);
    std::vector<KeySum> sums(2 * ranges.nodes().size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        ++sums[keys[i]].ownCount;
        sums[keys[i]].ownTotal += trace.table(events[i].kind).duration[events[i].index];
    }
    std::vector<std::vector<std::uint32_t>> below(sums.size());
    for (auto key = static_cast<std::uint32_t>(sums.size()); key-- > 0;) { // parents have smaller numbers
        KeySum& sum = sums[key];
        sum.count += sum.ownCount;
        sum.total += sum.ownTotal;
        if (key == 0 || sum.count == 0)
            continue;
        const std::uint32_t parent = parentOf(ranges, key);
        sums[parent].count += sum.count;
        sums[parent].total += sum.total;
        below[parent].push_back(key);
    }
    std::vector<std::uint32_t> nodeOf(sums.size());
    m_keys.push_back(0);
    m_nodes.push_back({.count = sums[0].count, .total = sums[0].total});
    for (std::uint32_t node = 0; node < m_nodes.size(); ++node) {
        throwIfStopped(stop);
        auto& children = below[m_keys[node]];
        std::ranges::sort(children, [&](std::uint32_t a, std::uint32_t b) {
            return sums[a].total != sums[b].total ? sums[a].total > sums[b].total : a < b;
        });
        m_nodes[node].firstChild = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes[node].children = static_cast<std::uint32_t>(children.size());
        for (const std::uint32_t key : children) {
            const KeySum& sum = sums[key];
            nodeOf[key] = static_cast<std::uint32_t>(m_nodes.size());
            m_keys.push_back(key);
            m_nodes.push_back({.parent = node,
                .depth = m_nodes[node].depth + 1,
                .path = pathOfKey(key),
                .byHelpers
                = isByHelpers(key) && key != keyOfNoRange && !ranges.nodes()[pathOfKey(key)].byHelper,
                .place = nodeOf[key] - m_nodes[node].firstChild,
                .count = sum.count,
                .total = sum.total,
                .ownCount = sum.ownCount,
                .ownTotal = sum.ownTotal});
        }
    }
    std::vector<std::uint64_t> next(m_nodes.size());
    std::uint64_t first = 0;
    for (std::size_t node = 0; node < m_nodes.size(); ++node) {
        next[node] = m_nodes[node].firstEvent = first;
        first += m_nodes[node].ownCount;
    }
    m_events.resize(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        m_events[next[nodeOf[keys[i]]]++] = events[i];
}

std::uint32_t NestedEvents::nodeOf(const EnclosingRanges& ranges, EventRef event) const
{
    const auto found = std::ranges::find(m_keys, keyOf(ranges, event, ranges.placeOf(event)));
    return found == m_keys.end() ? 0 : static_cast<std::uint32_t>(found - m_keys.begin());
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
