#pragma once

#include "core/store/event_table.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpline {

class Trace;

/// Where the nodes of CUDA graphs were created. Instantiating a graph copies its nodes, so the node of a
/// replayed kernel is a copy of the captured one, or of a copy of that.
class GraphCaptures {
public:
    /// O(events of the making of graphs).
    explicit GraphCaptures(const Trace& trace);

    /// The event (of kind GraphEvent) that created the original of node `node` of `process`, across all
    /// copies; noIndex: not recorded. Cycles of copies, which only a broken report has, are cut.
    EventIndex madeAt(GlobalId process, std::uint64_t node) const;

    /// The program's ranges around that event on its thread, outermost first: "capture / block_0"; without
    /// domains of libraries. Empty: not recorded, or outside of ranges. `trace` must be the one of
    /// graphCapturesOf(). O(lanes of NVTX ranges, log n).
    std::string pathOf(const Trace& trace, GlobalId process, std::uint64_t node) const;

private:
    std::shared_ptr<const EventTable> m_table; ///< a GraphEventTable, which may outlive the trace
    std::unordered_map<GlobalId, std::unordered_map<std::uint64_t, EventIndex>>
        m_events; ///< by process, node
};

/// The captures of `trace`, computed once and kept as long as its graph events. Thread-safe.
std::shared_ptr<const GraphCaptures> graphCapturesOf(const Trace& trace);

/// The same where they have been made already; nullptr: not yet. Does not wait for anybody.
std::shared_ptr<const GraphCaptures> knownGraphCaptures(const Trace& trace);

/// The node of a graph that ran as `work`, a kernel or a copy; 0: no graph launched it.
std::uint64_t graphNodeOf(const Trace& trace, EventRef work);

/// Graph and node of an id as CUPTI packs them: the graph in the upper half.
constexpr std::uint32_t graphOf(std::uint64_t nodeId)
{
    return static_cast<std::uint32_t>(nodeId >> 32U);
}
constexpr std::uint32_t nodeInGraph(std::uint64_t nodeId)
{
    return static_cast<std::uint32_t>(nodeId & 0xFFFF'FFFFU);
}

/// The ranges of the program's own that hold `time` on `thread`, outermost first. O(lanes log n).
std::vector<EventIndex> rangesAt(const Trace& trace, GlobalId thread, Ns time);
/// The same with those of libraries and frameworks.
std::vector<EventIndex> rangesOfThreadAt(const Trace& trace, GlobalId thread, Ns time);
/// Their names, with " / " between.
std::string rangePath(const Trace& trace, const std::vector<EventIndex>& ranges);

} // namespace warpline
