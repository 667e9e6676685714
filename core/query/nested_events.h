#pragma once

#include "core/base/time.h"
#include "core/filter/enclosing_ranges.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

/// Events as a tree of the NVTX ranges around them: an event belongs to the path of ranges open at its begin;
/// GPU work to those open when its launch began. A range does not contain itself. Launches by helper threads
/// (HelperThreads) during a range get a node of their own below it, with the library ranges that they were
/// in. Events keep the given order; nodes with the longest total come first.
class NestedEvents {
public:
    struct Node {
        std::uint32_t parent = 0;
        std::uint32_t depth = 0; ///< 0: all events
        std::uint32_t path = 0; ///< in the EnclosingRanges; 0: no range is around the events
        bool byHelpers = false; ///< launched by other threads while the parent's range was open
        std::uint32_t place = 0; ///< index among the nodes of its parent
        std::uint32_t firstChild = 0; ///< nodes [firstChild, firstChild + children) hang below
        std::uint32_t children = 0;
        std::uint64_t count = 0; ///< events, here and below
        Ns total = 0; ///< of their whole durations; work at the same time counts for each
        std::uint64_t firstEvent = 0; ///< [firstEvent, firstEvent + ownCount) of events()
        std::uint64_t ownCount = 0; ///< events of this very path
        Ns ownTotal = 0;
    };

    NestedEvents() = default;
    /// O(events log ranges). Throws Stopped when `stop` is requested.
    NestedEvents(const Trace& trace, const EnclosingRanges& ranges, std::span<const EventRef> events,
        const std::stop_token& stop = {});

    /// The first is the root, which has no events of its own; a node comes after its parent, and siblings are
    /// adjacent. Empty without events.
    std::span<const Node> nodes() const { return m_nodes; }
    /// Node after node.
    std::span<const EventRef> events() const { return m_events; }
    std::span<const EventRef> eventsOf(std::uint32_t node) const
    {
        return std::span(m_events).subspan(m_nodes[node].firstEvent, m_nodes[node].ownCount);
    }
    /// The node of `event`, one of the given events; 0: none. O(nodes).
    std::uint32_t nodeOf(const EnclosingRanges& ranges, EventRef event) const;
    /// The nodes in reading order: each before its children, without the root.
    std::vector<std::uint32_t> inOrder() const;

private:
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_keys; ///< key of each node
    std::vector<EventRef> m_events;
};

} // namespace warpline
