#include "core/stats/torch_tree.h"

#include "core/stats/grouping.h"
#include "core/store/nvtx_types.h"

#include <algorithm>
#include <array>
#include <map>

namespace warpline {

namespace {

constexpr std::uint32_t nobody = noIndex;

/// An event in the making of the tree.
struct Item {
    EventRef event;
    Ns start = 0;
    Ns end = 0;
    StringId name{};
    std::uint32_t parent = nobody;
    std::uint32_t children = 0;
    bool async = false;
    bool isRange = false; ///< an operator or an annotation: what launches count for
    bool gone = false; ///< the same as its parent
    Ns inChildren = 0;
    Ns launched = 0;
    Ns gpu = 0;
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
          m_stop(stop)
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
                    if (isGpuWork(work.kind) && range != nobody)
                        m_threads[thread][range].launched += m_trace.range(work).duration();
                });
                m_threads[range != nobody ? thread : m_main].push_back(
                    {{EventKind::ApiCall, i}, api.start[i], api.end(i), api.name[i]});
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

    /// Finds the parent of each item, which is in front of it.
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

    /// Lets what is the only event in another of its name become one with it.
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
            item.gone = true;
        }
    }

    /// From the last to the first, so that what is inside an item is known when its turn comes.
    static void write(std::vector<Item>& items, std::vector<TorchNode>& nodes)
    {
        for (auto item = items.rbegin(); item != items.rend(); ++item) {
            if (item->gone)
                continue;
            item->gpu += item->launched;
            if (item->parent != nobody) {
                items[item->parent].inChildren += item->end - item->start;
                items[item->parent].gpu += item->gpu;
            }
        }
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
    GlobalId m_main = 0;
    std::map<GlobalId, std::vector<Item>> m_threads;
    std::map<GlobalId, Open> m_open;
};

} // namespace

std::vector<TorchNode> torchTree(const Trace& trace, TimeRange window, const std::stop_token& stop)
{
    return TreeBuilder(trace, window, stop).build();
}

bool isHiddenOperator(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> hidden{"profiler::_record_function_enter",
        "profiler::_record_function_enter_new", "profiler::_record_function_exit", "aten::is_leaf",
        "aten::output_nr", "aten::_version"};
    return std::ranges::find(hidden, name) != hidden.end();
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
