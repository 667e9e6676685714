#include "core/timetree/thread_stretches.h"

#include "core/base/stop.h"
#include "core/stats/nvtx_nesting.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <ranges>

namespace warpline {

namespace {

/// The stretches that have begun and not ended, in the order they began.
class OpenStretches {
public:
    OpenStretches(const TimeTreeQuery& query, TimeTree& tree)
        : m_query(query),
          m_tree(tree)
    {
    }

    /// Assigns the time up to `moment`, innermost first, and drops stretches that end by then.
    void advance(Ns moment)
    {
        while (!m_open.empty()) {
            const Ns firstEnd = m_ends.top();
            const Ns until = std::min(firstEnd, moment);
            m_tree.addSelf(m_open.back().node, m_query.clip({m_now, until}).duration());
            m_now = std::max(m_now, until);
            if (firstEnd > moment)
                return;
            drop(firstEnd);
        }
    }

    void begin(const NamedStretch& stretch, std::uint32_t thread)
    {
        advance(stretch.time.start);
        m_now = stretch.time.start;
        const auto around = std::ranges::find_if(
            m_open.rbegin(), m_open.rend(), [&](const Open& open) { return open.end >= stretch.time.end; });
        const std::uint32_t parent = around != m_open.rend() ? around->node : thread;
        m_open.push_back({stretch.time.end, m_tree.child(parent, {.name = stretch.name})});
        m_ends.push(stretch.time.end);
    }

private:
    /// Drops the stretches that end by `moment`: the innermost, unless stretches overlap.
    void drop(Ns moment)
    {
        std::size_t ended = 0;
        for (; !m_ends.empty() && m_ends.top() <= moment; m_ends.pop())
            ++ended;
        for (; ended > 0 && m_open.back().end <= moment; --ended)
            m_open.pop_back();
        throwIfStopped(m_query.stop);
        if (ended > 0)
            std::erase_if(m_open, [&](const Open& open) { return open.end <= moment; });
    }

    struct Open {
        Ns end;
        std::uint32_t node;
    };

    const TimeTreeQuery& m_query;
    TimeTree& m_tree;
    std::vector<Open> m_open;
    std::priority_queue<Ns, std::vector<Ns>, std::greater<>> m_ends; ///< of m_open
    Ns m_now = 0;
};

} // namespace

void sweepThread(
    std::vector<NamedStretch> stretches, const TimeTreeQuery& query, std::uint32_t thread, TimeTree& tree)
{
    std::erase_if(stretches, [&](const NamedStretch& stretch) { return query.clip(stretch.time).empty(); });
    std::ranges::stable_sort(stretches, [](const NamedStretch& a, const NamedStretch& b) {
        return a.time.start != b.time.start ? a.time.start < b.time.start : a.time.end > b.time.end;
    });
    OpenStretches open(query, tree);
    for (const NamedStretch& stretch : stoppableItems(stretches, query.stop))
        open.begin(stretch, thread);
    if (!stretches.empty())
        open.advance(
            std::ranges::max(stretches, {}, [](const NamedStretch& each) { return each.time.end; }).time.end);
}

void addRanges(const Trace& trace, const TimeTreeQuery& query, ThreadStretches& threads)
{
    const NvtxTable& nvtx = trace.nvtx();
    for (const Track& track : nvtx.tracks) {
        if (track.device >= 0 || !query.asksFor(track.owner)) // events recorded on a GPU belong to no thread
            continue;
        std::vector<NamedStretch>& stretches = threads[track.owner];
        for (const EventIndex i : eventsOf(track, query.stop)) {
            if (isClosedRange(nvtx, i))
                stretches.push_back({nvtx.range(i), nvtx.name[i]});
        }
    }
}

void addCalls(const Trace& trace, const TimeTreeQuery& query, ThreadStretches& threads)
{
    const EventTable& calls = trace.apiCalls();
    for (const Track& track : calls.tracks) {
        if (!query.asksFor(track.owner))
            continue;
        std::vector<NamedStretch>& stretches = threads[track.owner];
        for (const EventIndex i : eventsOf(track, query.stop))
            stretches.push_back({calls.range(i), calls.name[i]});
    }
}

TimeTree treeOf(ThreadStretches threads, const TimeTreeQuery& query)
{
    TimeTree tree;
    for (auto& [thread, stretches] : threads)
        sweepThread(std::move(stretches), query, tree.child(0, {.thread = thread}), tree);
    tree.finish();
    return tree;
}

bool hasRanges(const Trace& trace)
{
    const auto events = std::views::iota(EventIndex{0}, static_cast<EventIndex>(trace.nvtx().size()));
    return std::ranges::any_of(events, [&](EventIndex i) { return isClosedRange(trace.nvtx(), i); });
}

} // namespace warpline
