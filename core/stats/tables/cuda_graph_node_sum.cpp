// The nodes of CUDA graphs over their replays: work, number and time. Graphs recorded as a whole have one row
// each, because the report lacks their nodes. nsys has no such table.

#include "core/query/graph_captures.h"
#include "core/stats/duration_summary.h"
#include "core/stats/grouping.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::cuda_graph_node_sum {

namespace {

/// A node, or with node -1 a graph recorded as a whole.
struct Node {
    GlobalId process = 0;
    std::int64_t graph = 0;
    std::int64_t node = -1;
    StringId name{};
    auto operator<=>(const Node&) const = default;
};

struct Replays {
    std::vector<Ns> durations;
    std::vector<EventRef> events;
    std::uint64_t id = 0;
};
using ReplaysByNode = std::map<Node, Replays>;

void collect(const Trace& trace, const StatsQuery& query, EventKind kind, ReplaysByNode& nodes)
{
    const EventTable& table = trace.table(kind);
    const bool whole = kind == EventKind::GraphTrace;
    forEachEvent(table, query, [&](EventIndex i) {
        const std::uint64_t id = graphNodeOf(trace, {kind, i});
        if (id == 0 && !whole)
            return;
        Node node{processOf(table.trackOf(i).owner), std::int64_t{graphOf(id)}, std::int64_t{nodeInGraph(id)},
            table.name[i]};
        if (whole) {
            node.graph = std::int64_t{table.attribute[i]};
            node.node = -1;
        }
        Replays& replays = nodes[node];
        replays.id = id;
        replays.durations.push_back(table.duration[i]);
        if (query.wantEvents)
            replays.events.push_back({kind, i});
    });
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    ReplaysByNode nodes;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::GraphTrace})
        collect(trace, query, kind, nodes);
    const auto captures = graphCapturesOf(trace);
    Cells cells;
    cells.columns = {{"PID", Unit::Integer}, {"Graph", Unit::Integer}, {"Node", Unit::Integer},
        {"Replays", Unit::Count}, {"Total Time (ns)", Unit::Nanoseconds}, {"Avg (ns)", Unit::NanosecondsReal},
        {"Med (ns)", Unit::NanosecondsReal}, {"Min (ns)", Unit::Nanoseconds}, {"Max (ns)", Unit::Nanoseconds},
        {"Captured In", Unit::Text}, {"Name", Unit::Text}};
    for (auto& [node, replays] : nodes) {
        throwIfStopped(query.stop);
        const bool whole = node.node < 0;
        const DurationSummary times = summarize(replays.durations);
        cells.addRow(
            {std::int64_t{pidOf(node.process)}, node.graph, whole ? Cell() : Cell(node.node),
                static_cast<std::int64_t>(times.count), times.total, times.mean, times.median, times.min,
                times.max, whole ? std::string() : captures->pathOf(trace, node.process, replays.id),
                std::string(trace.text(node.name))},
            replays.events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable cudaGraphNodeSum{.id = "cuda_graph_node_sum",
    .title = "CUDA Graph Node Summary",
    .description
    = "How long do the nodes of CUDA graphs take over all replays? With the NVTX ranges of their capture.",
    .applies =
        [](const Trace& trace) {
            return !trace.table(EventKind::GraphTrace).empty()
                || std::ranges::any_of(trace.kernels().launches,
                    [](const KernelLaunch& launch) { return launch.graphNodeId != 0; });
        },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Summary};

} // namespace warpline::cuda_graph_node_sum
