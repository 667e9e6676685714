// Calls of the operating system that blocked a thread, with the stack that nsys took of the long ones.

#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"

namespace warpline::blocked_calls {

namespace {

bool hasCalls(const Trace& trace)
{
    return !trace.table(EventKind::OsRuntime).empty();
}

TimeTree blockedTree(const Trace& trace, const TimeTreeQuery& query)
{
    const EventTable& calls = trace.table(EventKind::OsRuntime);
    TimeTree tree;
    for (const Track& track : calls.tracks) {
        // An inner call is part of the outer one's time: the outermost lane has all of it.
        if (!query.asksFor(track.owner) || track.laneCount == 0)
            continue;
        const std::uint32_t thread = tree.child(0, {.thread = track.owner});
        const Lane& outermost = calls.lanes[track.firstLane];
        for (const EventIndex i : stoppable(outermost.first, outermost.first + outermost.count, query.stop)) {
            const Ns time = query.clip(calls.range(i)).duration();
            if (time == 0)
                continue;
            const std::uint32_t stack = stackBelow(trace, {EventKind::OsRuntime, i}, thread, tree);
            tree.addSelf(tree.child(stack, {.name = calls.name[i]}), time);
        }
    }
    tree.finish();
    return tree;
}

} // namespace

extern constinit const TimeTreeSource blockedCallStacks{.id = "blocked",
    .title = "Blocked calls",
    .description = "Time in system calls, by calling function",
    .unit = TimeTreeUnit::Nanoseconds,
    .applies = hasCalls,
    .fill = blockedTree};

} // namespace warpline::blocked_calls
