// Work of the GPU below the NVTX ranges around the calls that launched it.

#include "core/stats/nvtx_nesting.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"

#include <ranges>

namespace warpline::ranges_on_gpu {

namespace {

bool hasGpuWork(const Trace& trace)
{
    return trace.links
        && (!trace.kernels().empty() || !trace.memcpys().empty() || !trace.table(EventKind::Memset).empty()
            || !trace.table(EventKind::GraphTrace).empty());
}

/// The node of the innermost range around `call`, below a node for its thread.
class RangeNodes {
public:
    RangeNodes(const Trace& trace, const std::stop_token& stop)
        : m_trace(trace),
          m_nesting(nestNvtx(trace, stop)),
          m_innermost(innermostRangesOfCalls(trace, *callTwinsOf(trace, stop), stop)),
          m_nodes(trace.nvtx().size(), noIndex)
    {
    }

    std::uint32_t nodeOf(EventIndex call, TimeTree& tree)
    {
        const std::uint32_t thread = tree.child(0, {.thread = m_trace.apiCalls().trackOf(call).owner});
        return m_innermost[call] == noIndex ? thread : nodeOfRange(m_innermost[call], thread, tree);
    }

private:
    std::uint32_t nodeOfRange(EventIndex innermost, std::uint32_t thread, TimeTree& tree)
    {
        std::vector<EventIndex> path;
        for (EventIndex range = innermost; range != noIndex && m_nodes[range] == noIndex;
             range = m_nesting.parent[range])
            path.push_back(range);
        for (const EventIndex range : path | std::views::reverse) {
            const EventIndex parent = m_nesting.parent[range];
            const std::uint32_t above = parent == noIndex ? thread : m_nodes[parent];
            m_nodes[range] = tree.child(above, {.name = m_trace.nvtx().name[range]});
        }
        return m_nodes[innermost];
    }

    const Trace& m_trace;
    NvtxNesting m_nesting;
    std::vector<EventIndex> m_innermost;
    std::vector<std::uint32_t> m_nodes; ///< of each range; noIndex: not made yet
};

TimeTree gpuTree(const Trace& trace, const TimeTreeQuery& query)
{
    TimeTree tree;
    RangeNodes ranges(trace, query.stop);
    for (const EventKind kind : gpuWorkKinds) {
        const EventTable& work = trace.table(kind);
        for (const EventIndex i : everyEvent(work, query.stop)) {
            const EventRef event{kind, i};
            const EventRef call = trace.apiCallOf(event);
            const Ns time = query.clip(work.range(i)).duration();
            if (time == 0 || !call.valid() || !query.asksFor(trace.apiCalls().trackOf(call.index).owner))
                continue;
            const StringId name
                = kind == EventKind::Kernel ? trace.kernels().launch(i).shortName : work.name[i];
            tree.addSelf(tree.child(ranges.nodeOf(call.index, tree), {.name = name}), time);
        }
    }
    tree.finish();
    return tree;
}

} // namespace

extern constinit const TimeTreeSource gpuRangeStacks{.id = "gpu",
    .title = "GPU work by {recorder, select, nsys {NVTX range} torch {annotated range} other {range}}",
    .description
    = "Time of kernels, copies and memsets, by the {recorder, select, nsys {NVTX ranges} torch {annotated ranges} other {ranges}} around their launch. Concurrent work counts more than once; work whose launch is not recorded is left out",
    .unit = TimeTreeUnit::Nanoseconds,
    .applies = hasGpuWork,
    .fill = gpuTree};

} // namespace warpline::ranges_on_gpu
