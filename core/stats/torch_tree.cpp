#include "core/stats/torch_tree.h"

#include "core/query/graph_origins.h"
#include "core/stats/grouping.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace warpline {

namespace {

constexpr std::uint32_t nobody = noIndex;

/// Whether PyTorch's table leaves events of this name out.
bool isHiddenOperator(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> hidden{"profiler::_record_function_enter",
        "profiler::_record_function_enter_new", "profiler::_record_function_exit", "aten::is_leaf",
        "aten::output_nr", "aten::_version"};
    return std::ranges::find(hidden, name) != hidden.end();
}

/// Whether a range that launches count for holds the node.
bool isInOperator(const CapturedAt& captured)
{
    const Trace& trace = *captured.trace;
    const EventTable& events = trace.graphEvents();
    return std::ranges::any_of(rangesAroundNode(captured), [&](EventIndex range) {
        const Track& track = trace.nvtx().trackOf(range);
        return (isOperatorTrack(trace, track) || isAnnotationTrack(trace, track))
            && trace.nvtx().end(range) >= events.end(captured.node)
            && !isHiddenOperator(trace.text(trace.nvtx().name[range]))
            && !trace.text(trace.nvtx().name[range]).starts_with("nccl:");
    });
}

/// An event in the making of the tree.
struct Item {
    EventRef event;
    Ns start = 0;
    Ns end = 0;
    StringId name{};
    std::uint32_t parent = nobody;
    std::uint32_t children = 0;
    bool async = false;
    bool isRange = false; ///< an operator or an annotation, to which launches belong
    bool gone = false; ///< the same as its parent
    Ns inChildren = 0;
    Ns launched = 0;
    Ns replayed = 0; ///< of its work: replays of work that operators in a capture launched into a graph
    Ns gpu = 0;
    std::int64_t replays = 0; ///< for a captured event: replays that ran its work
    std::vector<EventRef> works{}; ///< the same: its own
};

/// The replayed work of one node of a graph.
struct Replayed {
    Ns time = 0;
    std::int64_t times = 0;
    std::vector<EventRef> works;
};

bool startsBefore(const Item& a, const Item& b)
{
    return a.start != b.start ? a.start < b.start : a.end > b.end;
}

class TreeBuilder {
public:
    TreeBuilder(const Trace& trace, TimeRange window, const std::stop_token& stop)
        : m_trace(trace),
          m_window(window),
          m_stop(stop),
          m_origins(graphOriginsOf(trace))
    {
    }

    std::vector<TorchNode> build()
    {
        addRanges();
        addCalls();
        addOverheads();
        std::vector<TorchNode> nodes;
        for (auto& [thread, items] : m_threads) {
            std::ranges::stable_sort(items, startsBefore);
            nest(items);
            merge(items);
            write(items, nodes);
        }
        return nodes;
    }

    /// The operators that launched `replayed` (work by node) into graphs; others are left out.
    std::vector<ReplayedNode> buildReplayed(const std::map<EventIndex, Replayed>& replayed)
    {
        addRanges();
        addNodes(replayed);
        std::vector<ReplayedNode> nodes;
        for (auto& [thread, items] : m_threads) {
            nest(items);
            merge(items);
            sumUp(items);
            for (Item& item : items) {
                if (!item.gone && item.gpu > 0)
                    nodes.push_back(
                        {&m_trace, item.event, item.replays, item.launched, item.gpu, std::move(item.works)});
            }
        }
        return nodes;
    }

private:
    void addRanges()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        std::map<GlobalId, std::uint64_t> operators;
        for (const Track& track : nvtx.tracks) {
            if (!isOperatorTrack(m_trace, track) && !isAnnotationTrack(m_trace, track))
                continue;
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                const std::string_view name = m_trace.text(nvtx.name[i]);
                if (!isAsked(nvtx, i, m_window) || nvtx.attributesOf(i).eventType == nvtxMark
                    || isHiddenOperator(name))
                    continue;
                Item item{{EventKind::Nvtx, i}, nvtx.start[i], nvtx.end(i), nvtx.name[i]};
                item.async = name.starts_with("nccl:") && isAnnotationTrack(m_trace, track);
                item.isRange = true;
                m_threads[track.owner].push_back(item);
            }
            operators[track.owner] += track.eventCount;
        }
        std::uint64_t most = 0;
        for (const auto& [thread, count] : operators) {
            const bool first = tidOf(thread) == pidOf(thread) && tidOf(m_main) != pidOf(m_main);
            if (first || (count > most && (tidOf(m_main) != pidOf(m_main) || m_main == 0))) {
                m_main = thread;
                most = count;
            }
        }
        for (auto& [thread, items] : m_threads)
            std::ranges::stable_sort(items, startsBefore);
    }

    /// The innermost range of `thread` that holds `call`, and is none of those that end elsewhere.
    std::uint32_t rangeAround(GlobalId thread, TimeRange call)
    {
        Open& open = m_open[thread];
        const std::vector<Item>& items = m_threads[thread];
        while (open.next < open.ranges && items[open.next].start <= call.start) {
            std::erase_if(
                open.stack, [&](std::uint32_t i) { return items[i].end <= items[open.next].start; });
            if (!items[open.next].async)
                open.stack.push_back(static_cast<std::uint32_t>(open.next));
            ++open.next;
        }
        for (auto i = open.stack.rbegin(); i != open.stack.rend(); ++i) {
            if (items[*i].end >= call.end)
                return *i;
        }
        return nobody;
    }

    void addCalls()
    {
        for (const auto& [thread, items] : m_threads)
            m_open[thread].ranges = items.size();
        std::map<GlobalId, std::vector<EventIndex>> calls;
        const EventTable& api = m_trace.apiCalls();
        for (const Track& track : api.tracks) {
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                if (isAsked(api, i, m_window))
                    calls[track.owner].push_back(i);
            }
        }
        for (auto& [thread, ofThread] : calls) {
            std::ranges::stable_sort(ofThread, {}, [&](EventIndex i) { return api.start[i]; });
            for (const EventIndex i : stoppableItems(ofThread, m_stop)) {
                const std::uint32_t range = rangeAround(thread, api.range(i));
                m_trace.visitWork(i, [&](EventRef work) {
                    if (!isGpuWork(work.kind) || range == nobody)
                        return;
                    Item& item = m_threads[thread][range];
                    (isReplayed(work) ? item.replayed : item.launched) += m_trace.range(work).duration();
                });
                m_threads[range != nobody ? thread : m_main].push_back(
                    {{EventKind::ApiCall, i}, api.start[i], api.end(i), api.name[i]});
            }
        }
    }

    /// Whether operators around its capture launched `work`.
    bool isReplayed(EventRef work) const
    {
        const CapturedAt captured = m_origins->of(m_trace, work);
        return captured.known() && isInOperator(captured);
    }

    void addNodes(const std::map<EventIndex, Replayed>& replayed)
    {
        const EventTable& events = m_trace.graphEvents();
        for (const auto& [thread, items] : m_threads)
            m_open[thread].ranges = items.size();
        std::map<GlobalId, std::vector<EventIndex>> nodes;
        for (const auto& [node, work] : replayed)
            nodes[events.trackOf(node).owner].push_back(node);
        for (auto& [thread, ofThread] : nodes) {
            std::ranges::stable_sort(ofThread, {}, [&](EventIndex i) { return events.start[i]; });
            for (const EventIndex node : stoppableItems(ofThread, m_stop)) {
                const std::uint32_t range = rangeAround(thread, events.range(node));
                if (range == nobody)
                    continue;
                Item& item = m_threads[thread][range];
                const Replayed& work = replayed.at(node);
                item.launched += work.time;
                item.replays = std::max(item.replays, work.times);
                item.works.insert(item.works.end(), work.works.begin(), work.works.end());
            }
        }
    }

    void addOverheads()
    {
        const EventTable& overheads = m_trace.table(EventKind::Overhead);
        forEachEvent(overheads, m_window, m_stop, [&](EventIndex i) {
            m_threads[m_main].push_back(
                {{EventKind::Overhead, i}, overheads.start[i], overheads.end(i), overheads.name[i]});
        });
    }

    /// Finds the parent of each item, which precedes it.
    void nest(std::vector<Item>& items) const
    {
        std::vector<std::uint32_t> open;
        for (std::uint32_t i = 0; i < items.size(); ++i) {
            if ((i & 0xFFFFU) == 0)
                throwIfStopped(m_stop);
            Item& item = items[i];
            if (item.async)
                continue;
            while (
                !open.empty() && (item.start >= items[open.back()].end || item.end > items[open.back()].end))
                open.pop_back();
            if (!open.empty()) {
                item.parent = open.back();
                ++items[open.back()].children;
            }
            open.push_back(i);
        }
    }

    /// Merges an event with its parent when it is the only child and has the same name.
    static void merge(std::vector<Item>& items)
    {
        for (Item& item : items) {
            while (item.parent != nobody && items[item.parent].gone)
                item.parent = items[item.parent].parent;
            if (item.parent == nobody || items[item.parent].name != item.name
                || items[item.parent].children != 1)
                continue;
            items[item.parent].children = item.children;
            items[item.parent].launched = item.launched;
            items[item.parent].replayed = item.replayed;
            items[item.parent].replays = std::max(items[item.parent].replays, item.replays);
            items[item.parent].works = std::move(item.works);
            item.gone = true;
        }
    }

    /// Sums from the last to the first, so that children precede their parents.
    static void sumUp(std::vector<Item>& items)
    {
        for (auto item = items.rbegin(); item != items.rend(); ++item) {
            if (item->gone)
                continue;
            item->gpu += item->launched + item->replayed;
            if (item->parent != nobody) {
                Item& parent = items[item->parent];
                parent.inChildren += item->end - item->start;
                parent.gpu += item->gpu;
                parent.replays = std::max(parent.replays, item->replays);
            }
        }
    }

    static void write(std::vector<Item>& items, std::vector<TorchNode>& nodes)
    {
        sumUp(items);
        for (const Item& item : items) {
            if (!item.gone)
                nodes.push_back({item.event, item.async ? 0 : item.end - item.start - item.inChildren,
                    item.launched, item.gpu});
        }
    }

    struct Open {
        std::size_t next = 0;
        std::size_t ranges = 0; ///< of the thread's items, which come first
        std::vector<std::uint32_t> stack;
    };

    const Trace& m_trace;
    TimeRange m_window;
    const std::stop_token& m_stop;
    std::shared_ptr<const GraphOrigins> m_origins;
    GlobalId m_main = 0;
    std::map<GlobalId, std::vector<Item>> m_threads;
    std::map<GlobalId, Open> m_open;
};

} // namespace

std::vector<TorchNode> torchTree(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    return TreeBuilder(trace, window, stop).build();
}

std::vector<ReplayedNode> replayedOperators(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    const auto origins = graphOriginsOf(trace);
    std::map<const Trace*, std::map<EventIndex, Replayed>> captures;
    origins->forEach(trace, [&](EventRef work, const CapturedAt& captured) {
        if (!isAsked(trace.apiCalls(), trace.apiCallOf(work).index, window))
            return;
        Replayed& replayed = captures[captured.trace][captured.node];
        replayed.time += trace.range(work).duration();
        ++replayed.times;
        replayed.works.push_back(work);
    });
    std::vector<ReplayedNode> nodes;
    for (const auto& [capture, replayed] : captures) {
        auto ofCapture = TreeBuilder(*capture, {}, stop).buildReplayed(replayed);
        std::ranges::move(ofCapture, std::back_inserter(nodes));
    }
    return nodes;
}

bool isOperatorTrack(const Trace& trace, const Track& track)
{
    return track.device < 0 && trace.text(track.family) == "PyTorch";
}

bool isAnnotationTrack(const Trace& trace, const Track& track)
{
    return track.device < 0 && trace.text(track.source) == "user_annotation";
}

bool hasTorchOperators(const Trace& trace)
{
    return std::ranges::any_of(
        trace.nvtx().tracks, [&](const Track& track) { return isOperatorTrack(trace, track); });
}

} // namespace warpline
