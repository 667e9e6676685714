#pragma once

#include "core/store/event_table.h"

#include <algorithm>
#include <vector>

namespace warpline {

/// Events [next, end) of one lane: sorted by start, none overlapping.
struct LaneRun {
    EventKind kind;
    const EventTable* table;
    EventIndex next;
    EventIndex end;

    Ns start() const { return table->start[next]; }
};

/// Calls visit(kind, table, event) for the events of all `runs` by start, then kind, then index. O(n log
/// runs), and a plain loop while no other run has an earlier event.
template <typename Visit> void forEachByStart(std::vector<LaneRun> runs, Visit visit)
{
    const auto later = [](const LaneRun& a, const LaneRun& b) {
        if (a.start() != b.start())
            return a.start() > b.start();
        return a.kind != b.kind ? a.kind > b.kind : a.next > b.next;
    };
    std::erase_if(runs, [](const LaneRun& run) { return run.next == run.end; });
    std::ranges::make_heap(runs, later);
    while (!runs.empty()) {
        std::ranges::pop_heap(runs, later);
        LaneRun& run = runs.back();
        const LaneRun* const other = runs.size() > 1 ? &runs.front() : nullptr;
        do
            visit(run.kind, *run.table, run.next++);
        while (run.next < run.end && (!other || later(*other, run)));
        if (run.next < run.end)
            std::ranges::push_heap(runs, later);
        else
            runs.pop_back();
    }
}

} // namespace warpline
