#include "core/timetree/thread_stretches.h"

#include "core/stats/nvtx_nesting.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

namespace warpline {

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
    const NvtxTable& nvtx = trace.nvtx();
    for (EventIndex i = 0; i < nvtx.size(); ++i) {
        if (isClosedRange(nvtx, i))
            return true;
    }
    return false;
}

} // namespace warpline
