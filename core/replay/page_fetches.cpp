#include "core/replay/page_fetches.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

namespace warpline {

std::vector<Ns> pageFetches(const Trace& trace, const ReplayGraph& graph)
{
    const MemcpyTable& copies = trace.memcpys();
    std::vector<Ns> fetches;
    if (graph.calls.empty())
        return fetches;
    TimeRange all{graph.begin, graph.begin};
    for (const ReplayCall& call : graph.calls)
        all.end = std::max(all.end, call.made.end);
    for (const Track& track : copies.tracks) {
        if (processOf(track.owner) != processOf(graph.threads.front()))
            continue;
        for (const EventIndex i : eventsIn(copies, track, all)) {
            if (stallsHost(copies.copy(i)))
                fetches.push_back(copies.start[i]);
        }
    }
    std::ranges::sort(fetches);
    return fetches;
}

Ns fetchesBefore(const ReplayGraph& graph, const ReplayCall& call, const std::vector<Ns>& fetches)
{
    const Ns before = call.previous != noNode ? graph.calls[call.previous].made.end : graph.begin;
    return std::ranges::lower_bound(fetches, call.made.start) - std::ranges::lower_bound(fetches, before);
}

} // namespace warpline
