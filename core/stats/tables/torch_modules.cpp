// Modules of a model by their place: torch.nn.Module as torch.profiler records it using with_stack (Python
// functions) or with_modules, each below the module that calls it. "Linear_3" and "Linear_4" are one row
// where they have the same place. GPU time is that of the work launched inside. Autograd launches the
// backward pass from a thread without modules: it belongs to the module that contains the forward operator.
// Work of CUDA graph replays belongs to the modules in which it was captured.

#include "core/derive/backward_passes.h"
#include "core/derive/capture_traces.h"
#include "core/query/graph_origins.h"
#include "core/stats/call_twins.h"
#include "core/stats/grouping.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"
#include "core/stats/torch_tree.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::torch_modules {

namespace {

constexpr std::uint32_t noNode = noIndex;
constexpr std::int64_t maxLevels = 500; ///< deeper work belongs to the module at that level

struct Node {
    std::string name;
    std::int64_t level = -1; ///< of the root, which is no module
    std::int64_t count = 0;
    Ns cpu = 0;
    Ns gpu = 0;
    Ns backward = 0; ///< on the GPU
    std::map<std::string, std::uint32_t> children;
    std::vector<EventRef> events;
};

bool isModule(const Trace& trace, EventIndex range)
{
    return trace.text(trace.nvtx().name[range]).starts_with(modulePrefix);
}

/// "Qwen2Attention_*" for "Qwen2Attention_7".
std::string starredModule(std::string_view module)
{
    std::string name = classOfModule(module);
    return name.size() < module.size() ? name + "_*" : name;
}

/// Adds the modules of one trace to `nodes`, the root first: those of the table's trace, or of one that
/// contains the capture of its CUDA graphs.
class ModuleTree {
public:
    ModuleTree(std::vector<Node>& nodes, const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query),
          m_nesting(nestNvtx(trace, query.stop)),
          m_nodeOf(trace.nvtx().size(), noNode),
          m_nodes(nodes)
    {
    }

    /// Adds `replayed`, operators of this trace with replayed work, to the modules around them. A module is
    /// called as often as its work was replayed, and takes no CPU time.
    void addReplayed(const std::vector<ReplayedNode>& replayed)
    {
        std::map<EventIndex, std::int64_t> calls;
        for (const ReplayedNode& node : replayed) {
            if (node.trace != &m_trace)
                continue;
            for (EventIndex at = node.event.index; at != noIndex; at = m_nesting.parent[at]) {
                if (!isModule(m_trace, at))
                    continue;
                m_nodes[nodeOf(at)].gpu += node.selfGpu;
                std::int64_t& known = calls[at];
                known = std::max(known, node.replays);
            }
        }
        for (const auto& [module, count] : calls)
            m_nodes[nodeOf(module)].count += count;
    }

    void addRanges()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        forEachEvent(nvtx, m_query, [&](EventIndex i) {
            if (!isModule(m_trace, i))
                return;
            Node& node = m_nodes[nodeOf(i)];
            ++node.count;
            node.cpu += nvtx.duration[i];
            if (m_query.wantEvents)
                node.events.push_back({EventKind::Nvtx, i});
        });
    }

    void addWork()
    {
        const std::vector<EventIndex> forward = forwardOperators(m_trace);
        const auto kept = callTwinsOf(m_trace, m_query.stop);
        const CallTwins& twins = *kept;
        forEachCallInRanges(m_trace, twins, m_query.stop, [&](const CallInRanges& at) {
            Ns work = 0;
            m_trace.visitWork(at.linked,
                [&](EventRef event) { work += isGpuWork(event.kind) ? m_trace.range(event).duration() : 0; });
            EventIndex ofBackward = noIndex; // the innermost operator that this is the backward pass of
            for (const EventIndex range : at.ranges) {
                if (m_nodeOf[range] != noNode && isAsked(m_trace.nvtx(), range, m_query.window))
                    m_nodes[m_nodeOf[range]].gpu += work;
                if (!forward.empty() && forward[range] != noIndex)
                    ofBackward = forward[range];
            }
            if (ofBackward != noIndex)
                addBackward(ofBackward, work);
        });
    }

private:
    /// Adds GPU time of the backward pass of `forward`, an operator, to the modules around it.
    void addBackward(EventIndex forward, Ns work)
    {
        for (EventIndex range = m_nesting.parent[forward]; range != noIndex;
             range = m_nesting.parent[range]) {
            if (m_nodeOf[range] != noNode && isAsked(m_trace.nvtx(), range, m_query.window))
                m_nodes[m_nodeOf[range]].backward += work;
        }
    }

    /// The node of a module's call, and of those around it, the outermost first.
    std::uint32_t nodeOf(EventIndex range)
    {
        std::vector<EventIndex> unknown;
        std::uint32_t node = 0;
        for (EventIndex at = range; at != noIndex; at = m_nesting.parent[at]) {
            if (m_nodeOf[at] != noNode) {
                node = m_nodeOf[at];
                break;
            }
            if (isModule(m_trace, at))
                unknown.push_back(at);
        }
        for (auto at = unknown.rbegin(); at != unknown.rend(); ++at)
            node = m_nodeOf[*at] = childOf(node, *at);
        return node;
    }

    std::uint32_t childOf(std::uint32_t above, EventIndex module)
    {
        const std::int64_t level = m_nodes[above].level + 1;
        if (level > maxLevels)
            return above;
        std::string name
            = starredModule(m_trace.text(m_trace.nvtx().name[module]).substr(modulePrefix.size()));
        const auto [place, added]
            = m_nodes[above].children.try_emplace(name, static_cast<std::uint32_t>(m_nodes.size()));
        const std::uint32_t node = place->second;
        if (added) {
            Node& made = m_nodes.emplace_back();
            made.name = std::move(name);
            made.level = level;
        }
        return node;
    }

    const Trace& m_trace;
    const StatsQuery& m_query;
    NvtxNesting m_nesting;
    std::vector<std::uint32_t> m_nodeOf; ///< by range
    std::vector<Node>& m_nodes;
};

void writeModules(const std::vector<Node>& nodes, Cells& cells, std::uint32_t at)
{
    const Node& node = nodes[at];
    if (node.count > 0)
        cells.addRow(
            {std::string(std::size_t{2} * static_cast<std::size_t>(node.level), '-') + node.name, node.level,
                node.count, node.cpu, static_cast<double>(node.cpu) / static_cast<double>(node.count),
                node.gpu, static_cast<double>(node.gpu) / static_cast<double>(node.count), node.backward},
            node.events);
    std::vector<std::uint32_t> children;
    for (const auto& [name, child] : node.children)
        children.push_back(child);
    std::ranges::stable_sort(children, std::greater{}, [&](std::uint32_t child) {
        return std::pair(nodes[child].gpu + nodes[child].backward, nodes[child].cpu);
    });
    for (const std::uint32_t child : children)
        writeModules(nodes, cells, child);
}

bool hasModules(const Trace& trace)
{
    const NvtxTable& nvtx = trace.nvtx();
    for (const Track& track : nvtx.tracks) {
        if (trace.text(track.family) != "Python")
            continue;
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (isModule(trace, i))
                return true;
        }
    }
    return false;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Module", Unit::Text}, {"Lvl", Unit::Integer}, {"Calls", Unit::Count},
        {"CPU Total (ns)", Unit::Nanoseconds}, {"CPU Avg (ns)", Unit::NanosecondsReal},
        {"GPU Total (ns)", Unit::Nanoseconds}, {"GPU Avg (ns)", Unit::NanosecondsReal},
        {"GPU Backward (ns)", Unit::Nanoseconds}};
    std::vector<Node> nodes(1);
    ModuleTree tree(nodes, trace, query);
    tree.addRanges();
    if (trace.links)
        tree.addWork();
    const std::vector<ReplayedNode> replayed = replayedOperators(trace, query.window, query.stop);
    if (!replayed.empty()) {
        tree.addReplayed(replayed);
        for (const auto& capture : captureTracesOf(trace))
            ModuleTree(nodes, *capture, query).addReplayed(replayed);
    }
    writeModules(nodes, cells, 0);
    return cells;
}

} // namespace

extern constinit const StatsTable torchModules{.id = "torch_modules",
    .title = "PyTorch Module Tree",
    .description
    = "Which modules of the model take time? A tree by the modules around them, with the GPU work of their forward and backward passes.",
    .applies =
        [](const Trace& trace) {
            return hasModules(trace) || std::ranges::any_of(captureTracesOf(trace), [](const auto& capture) {
                return hasModules(*capture);
            });
        },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown,
    .followsTracks = false};

} // namespace warpline::torch_modules
