// Modules of a model by their place: torch.nn.Module as torch.profiler recorded them with with_stack
// (Python's functions) or with_modules, each below the module whose call it is part of. "Linear_3" and
// "Linear_4" are one row where they have the same place. GPU time is that of the work launched inside.
// Autograd launches the backward pass from a thread that runs no modules: that of an operator's backward pass
// belongs to the module that the operator is called in.

#include "core/derive/backward_passes.h"
#include "core/stats/call_twins.h"
#include "core/stats/grouping.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view prefix = "nn.Module: ";
constexpr std::uint32_t noNode = noIndex;
constexpr std::int64_t mostLevels = 500; ///< what lies deeper belongs to the module at that level

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
    return trace.text(trace.nvtx().name[range]).starts_with(prefix);
}

/// "Qwen2Attention_*" for "Qwen2Attention_7": PyTorch numbers the modules of each class.
std::string classOf(std::string_view module)
{
    const std::size_t end = module.find_last_not_of("0123456789");
    const bool numbered = end != std::string_view::npos && end + 1 < module.size() && module[end] == '_';
    return numbered ? std::string(module.substr(0, end + 1)) + "*" : std::string(module);
}

class ModuleTree {
public:
    ModuleTree(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query),
          m_nesting(nestNvtx(trace, query.stop)),
          m_nodeOf(trace.nvtx().size(), noNode)
    {
        m_nodes.emplace_back();
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
            EventIndex ofBackward = noIndex; // the operator whose backward pass this is, the innermost one
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

    void write(Cells& cells, std::uint32_t at) const
    {
        const Node& node = m_nodes[at];
        if (node.count > 0)
            cells.addRow({std::string(std::size_t{2} * static_cast<std::size_t>(node.level), '-') + node.name,
                             node.level, node.count, node.cpu,
                             static_cast<double>(node.cpu) / static_cast<double>(node.count), node.gpu,
                             static_cast<double>(node.gpu) / static_cast<double>(node.count), node.backward},
                node.events);
        std::vector<std::uint32_t> children;
        for (const auto& [name, child] : node.children)
            children.push_back(child);
        std::ranges::stable_sort(children, std::greater{}, [&](std::uint32_t child) {
            return std::pair(m_nodes[child].gpu + m_nodes[child].backward, m_nodes[child].cpu);
        });
        for (const std::uint32_t child : children)
            write(cells, child);
    }

private:
    /// GPU time of the backward pass of `forward`, an operator, for the modules around it.
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
        if (level > mostLevels)
            return above;
        std::string name = classOf(m_trace.text(m_trace.nvtx().name[module]).substr(prefix.size()));
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
    std::vector<Node> m_nodes; ///< the root first
};

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
    ModuleTree tree(trace, query);
    tree.addRanges();
    if (trace.links)
        tree.addWork();
    tree.write(cells, 0);
    return cells;
}

} // namespace

extern constinit const StatsTable torchModules{.id = "torch_modules",
    .title = "PyTorch Module Tree",
    .description
    = "Which modules of the model take the time? A tree by the modules around them, with the GPU work of their "
      "forward and backward passes.",
    .arguments = {},
    .applies = hasModules,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown};

} // namespace warpline
