// Modules of a model by their place: torch.nn.Module as torch.profiler recorded them with with_stack
// (Python's functions) or with_modules, each below the module whose call it is part of. "Linear_3" and
// "Linear_4" are one row where they have the same place. GPU time is that of the work launched inside, so it
// is of the forward pass: autograd launches the backward pass from a thread that runs no modules.

#include "core/stats/call_twins.h"
#include "core/stats/grouping.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"
#include "core/stats/step_breakdown.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr std::string_view prefix = "nn.Module: ";
constexpr std::uint32_t noNode = noIndex;

struct Node {
    std::string name;
    std::int64_t level = -1; ///< of the root, which is no module
    std::int64_t count = 0;
    Ns cpu = 0;
    Ns gpu = 0;
    std::map<std::string, std::uint32_t> children;
    std::vector<EventRef> events;
};

bool isModule(const Trace& trace, EventIndex range)
{
    return trace.text(trace.nvtx().name[range]).starts_with(prefix);
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
        const CallTwins twins(m_trace, m_query.stop);
        forEachCallInRanges(m_trace, twins, m_query.stop, [&](const CallInRanges& at) {
            Ns work = 0;
            m_trace.visitWork(at.linked,
                [&](EventRef event) { work += isGpuWork(event.kind) ? m_trace.range(event).duration() : 0; });
            for (const EventIndex range : at.ranges) {
                if (m_nodeOf[range] != noNode && isAsked(m_trace.nvtx(), range, m_query.window))
                    m_nodes[m_nodeOf[range]].gpu += work;
            }
        });
    }

    void write(Cells& cells, std::uint32_t at) const
    {
        const Node& node = m_nodes[at];
        if (node.count > 0)
            cells.addRow({std::string(std::size_t{2} * static_cast<std::size_t>(node.level), '-') + node.name,
                             node.level, node.count, node.cpu,
                             static_cast<double>(node.cpu) / static_cast<double>(node.count), node.gpu,
                             static_cast<double>(node.gpu) / static_cast<double>(node.count)},
                node.events);
        std::vector<std::uint32_t> children;
        for (const auto& [name, child] : node.children)
            children.push_back(child);
        std::ranges::stable_sort(children, std::greater{},
            [&](std::uint32_t child) { return std::pair(m_nodes[child].gpu, m_nodes[child].cpu); });
        for (const std::uint32_t child : children)
            write(cells, child);
    }

private:
    /// The node of a module's call. Recursive by the modules around it.
    std::uint32_t nodeOf(EventIndex range)
    {
        if (m_nodeOf[range] != noNode)
            return m_nodeOf[range];
        EventIndex parent = m_nesting.parent[range];
        while (parent != noIndex && !isModule(m_trace, parent))
            parent = m_nesting.parent[parent];
        const std::uint32_t above = parent == noIndex ? 0 : nodeOf(parent);
        std::string name = digitsAsStars(m_trace.text(m_trace.nvtx().name[range]).substr(prefix.size()));
        const auto [place, added]
            = m_nodes[above].children.try_emplace(name, static_cast<std::uint32_t>(m_nodes.size()));
        const std::uint32_t node = place->second;
        if (added) {
            const std::int64_t level = m_nodes[above].level + 1;
            Node& made = m_nodes.emplace_back();
            made.name = std::move(name);
            made.level = level;
        }
        return m_nodeOf[range] = node;
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
        {"GPU Total (ns)", Unit::Nanoseconds}, {"GPU Avg (ns)", Unit::NanosecondsReal}};
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
    = "Which modules of the model take the time? A tree by the modules around them, with the GPU work of the "
      "forward pass.",
    .arguments = {},
    .applies = hasModules,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown};

} // namespace warpline
