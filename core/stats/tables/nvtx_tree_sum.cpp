// NVTX ranges by their place: ranges of one name are joined only when the ranges around them have equal
// names, too. Digits are shown as *, so the layers of a model fold into one row ("layer_*") under each phase
// of a step. Rows are in the order of a tree, each name after two dashes per level; children by total time,
// longest first. Shares are of the time of the parent range. With StatsQuery::nvtxName the tree starts at the
// matching ranges.

#include "core/base/glob.h"
#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/steps/steps.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace warpline::nvtx_tree_sum {

namespace {

constexpr std::uint32_t noNode = noIndex;

/// A name at one place of the tree.
struct Node {
    std::string name;
    std::uint32_t level = 0;
    Ns total = 0;
    std::map<std::string, std::uint32_t> children;
};

class Tree {
public:
    Tree(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query),
          m_nesting(nestNvtx(trace, query.stop)),
          m_nodeOf(trace.nvtx().size(), noNode),
          m_groups(query)
    {
        m_nodes.emplace_back();
    }

    void add()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        forEachEvent(nvtx, m_query, [&](EventIndex i) {
            if (!isClosedRange(nvtx, i))
                return;
            const std::uint32_t node = nodeOf(i);
            if (node == 0)
                return;
            m_nodes[node].total += nvtx.duration[i];
            m_groups.add(node, nvtx.duration[i], {EventKind::Nvtx, i});
        });
        m_groups.finish();
        m_summaries.resize(m_nodes.size());
        m_groupOf.resize(m_nodes.size(), noNode);
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            m_groupOf[m_groups.key(g)] = static_cast<std::uint32_t>(g);
            m_summaries[m_groups.key(g)] = summarize(m_groups.values(g));
        }
    }

    void write(Cells& cells) const
    {
        struct Left {
            std::uint32_t node;
            Ns around;
        };
        std::vector<Left> left{{0, 0}}; // the next one last
        while (!left.empty()) {
            const auto [node, around] = left.back();
            left.pop_back();
            if (node != 0)
                writeRow(cells, node, around);
            std::vector<std::uint32_t> children;
            Ns total = 0;
            for (const auto& [name, child] : m_nodes[node].children) {
                if (m_groupOf[child] == noNode)
                    continue; // nothing of it in the window
                children.push_back(child);
                total += m_nodes[child].total;
            }
            std::ranges::stable_sort(
                children, std::greater{}, [&](std::uint32_t child) { return m_nodes[child].total; });
            for (const std::uint32_t child : std::views::reverse(children))
                left.push_back({child, node == 0 ? total : m_nodes[node].total});
        }
    }

private:
    void writeRow(Cells& cells, std::uint32_t node, Ns around) const
    {
        constexpr std::uint32_t deepest = 200; // the indentation of deeper ones would be gigabytes of text
        const Node& at = m_nodes[node];
        const double whole = static_cast<double>(around);
        std::vector<Cell> row{std::string(std::size_t{2} * std::min(at.level, deepest), '-') + at.name,
            static_cast<std::int64_t>(at.level),
            whole > 0 ? static_cast<double>(at.total) * 100.0 / whole : 0.0, at.total,
            static_cast<std::int64_t>(m_summaries[node].count)};
        addSpreadCells(row, m_summaries[node]);
        cells.addRow(std::move(row), m_groups.events(m_groupOf[node]));
    }

    /// The node of a range: 0 for a range above the tree's start.
    std::uint32_t nodeOf(EventIndex range)
    {
        std::vector<EventIndex> above; // those around it without a node yet, the innermost first
        for (EventIndex i = range; i != noIndex && m_nodeOf[i] == noNode; i = m_nesting.parent[i])
            above.push_back(i);
        for (const EventIndex i : std::views::reverse(above)) {
            const EventIndex parent = m_nesting.parent[i];
            m_nodeOf[i] = nodeIn(parent == noIndex ? 0 : m_nodeOf[parent], i);
        }
        return m_nodeOf[range];
    }

    /// The node of a range whose parent has the node `above`.
    std::uint32_t nodeIn(std::uint32_t above, EventIndex range)
    {
        if (above == 0 && !isStart(range))
            return 0;
        std::string name = withoutNumbers(nvtxName(m_trace, range), '*');
        const auto [place, added]
            = m_nodes[above].children.try_emplace(name, static_cast<std::uint32_t>(m_nodes.size()));
        const std::uint32_t node = place->second;
        if (added) {
            const std::uint32_t level = above == 0 ? 0 : m_nodes[above].level + 1;
            m_nodes.emplace_back().name = std::move(name);
            m_nodes.back().level = level;
        }
        return node;
    }

    bool isStart(EventIndex range) const
    {
        if (m_query.nvtxName.empty())
            return m_nesting.parent[range] == noIndex;
        return matchesGlob(m_trace.text(m_trace.nvtx().name[range]), m_query.nvtxName)
            || matchesGlob(nvtxName(m_trace, range), m_query.nvtxName);
    }

    const Trace& m_trace;
    const StatsQuery& m_query;
    NvtxNesting m_nesting;
    std::vector<std::uint32_t> m_nodeOf; ///< by range
    std::vector<Node> m_nodes; ///< the root first
    Groups m_groups;
    std::vector<DurationSummary> m_summaries; ///< by node
    std::vector<std::uint32_t> m_groupOf; ///< by node
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells cells;
    cells.columns = {{"Range", Unit::Text}, {"Lvl", Unit::Integer}, {"Of Parent (%)", Unit::Percent},
        {"Total Time (ns)", Unit::Nanoseconds}, {"Instances", Unit::Count}};
    addSpreadColumns(cells.columns, "");
    Tree tree(trace, query);
    tree.add();
    tree.write(cells);
    return cells;
}

} // namespace

extern constinit const StatsTable nvtxTreeSum{.id = "nvtx_tree_sum",
    .title = "NVTX Tree Summary",
    .description
    = "Where, in the nesting of its ranges, does the program spend its time? NVTX ranges by name and by the ranges around them, numbered names folded.",
    .applies = hasAnyNvtxRange,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .asksForRange = true};

} // namespace warpline::nvtx_tree_sum
