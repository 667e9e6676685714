// Creation of CUDA graphs on the CPU. Node events record the created node and the node that it is a copy of,
// so that the work of a replay can be found in the capture.

#include "core/import/event_parts.h"

namespace warpline::graph_creation {

namespace {

constexpr std::array<std::string_view, 2> tables{"CUDA_GRAPH_EVENTS", "CUDA_GRAPH_NODE_EVENTS"};
constexpr std::array<std::string_view, 6> columns{
    "start", "end", "globalTid", "nameId", "graphNodeId", "originalGraphNodeId"};
enum At : int { AtNode = thread_column::next, AtOriginal };

/// The first record is for events without a node.
struct Nodes : RecordPool<GraphNode> {
    Nodes() { intern({}); }
};

std::shared_ptr<const GraphEventTable> tableOf(TableBuilder& builder, Nodes& nodes)
{
    auto made = std::make_shared<GraphEventTable>();
    builder.finishInto(*made);
    made->nodes = std::move(nodes.records);
    return made;
}

class GraphPart : public ThreadPart {
public:
    using ThreadPart::ThreadPart;

    void read(const sqlite::Row& row)
    {
        if (addEvent(row))
            builder.addAttribute(pool.intern({idOf(row, AtNode), idOf(row, AtOriginal)}));
    }

    Nodes pool;

private:
    static std::uint64_t idOf(const sqlite::Row& row, int column)
    {
        return static_cast<std::uint64_t>(row.integer(column, 0));
    }
};

Result<void> importGraphEvents(ImportJob& job)
{
    TableBuilder all(EventKind::GraphEvent);
    Nodes nodes;
    for (const std::string_view table : tables) {
        if (!job.schema.has(table))
            continue;
        const StringId source = job.trace.pool().intern(table);
        const auto done = appendParts<GraphPart>(
            job, table, columns, all,
            [&] { return std::make_unique<GraphPart>(EventKind::GraphEvent, job.strings, source); },
            [](GraphPart& part) { return tableOf(part.builder, part.pool); },
            [&](GraphPart& part) { part.builder.translateAttributes(nodes, part.pool); });
        if (!done.ok())
            return done;
    }
    job.trace.setTable(tableOf(all, nodes));
    return {};
}

} // namespace

extern constinit const Importer graphCreation{.id = "graph-creation",
    .progressText = "Reading CUDA graph creation",
    .needs = tables,
    .run = importGraphEvents};

} // namespace warpline::graph_creation
