#include "core/timetree/stack_events.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// The thread that `path` is of, taken off its front; 0: all.
GlobalId takeThread(std::span<const TimeFrame>& path)
{
    if (path.empty() || path.front().thread == 0)
        return 0;
    const GlobalId thread = path.front().thread;
    path = path.subspan(1);
    return thread;
}

/// Whether the stack of `event`, as the trees have it, begins with `path`: from its innermost frame on when
/// `isTurned`, else from the outermost. Looks at no more frames than that: events may share one of any depth.
bool goesThrough(const Trace& trace, EventRef event, std::span<const TimeFrame> path, bool isTurned)
{
    const auto stack = trace.stackOf(event);
    const std::size_t own = event.kind == EventKind::OsRuntime ? 1 : 0; // the call itself is the innermost
    const std::size_t depth = stack.size() + own;
    if (depth < path.size())
        return false;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::size_t place = isTurned ? i : depth - 1 - i; // from the innermost on
        TimeFrame frame{.name = trace.table(event.kind).name[event.index]};
        if (place >= own) {
            const StackFrame& recorded = stack[place - own];
            frame = {recorded.unresolved ? StringId{} : recorded.symbol, recorded.module, 0};
        }
        if (path[i] != frame)
            return false;
    }
    return true;
}

/// Which kinds of events the stacks of `source` are made of.
std::vector<EventKind> kindsOf(const TimeTreeSource& source)
{
    if (source.id == "cpu")
        return {EventKind::Sample};
    if (source.id == "blocked")
        return {EventKind::OsRuntime};
    if (source.id == "api")
        return {EventKind::ApiCall, EventKind::Nvtx};
    return {EventKind::Nvtx};
}

} // namespace

std::vector<EventRef> eventsInStack(const Trace& trace, const TimeTreeSource& source,
    const TimeTreeQuery& query, std::span<const TimeFrame> path, bool isTurned, std::size_t most)
{
    const GlobalId thread = takeThread(path);
    std::vector<EventRef> events;
    for (const EventKind kind : kindsOf(source)) {
        const EventTable& table = trace.table(kind);
        const bool isPython = source.id == "python"; // marks with stacks among ranges without any
        const bool hasStacks = isPython || kind == EventKind::Sample || kind == EventKind::OsRuntime;
        for (const Track& track : table.tracks) {
            if (!query.asksFor(track.owner) || (thread != 0 && track.owner != thread))
                continue;
            for (const EventIndex i : eventsOf(track, query.stop)) {
                const TimeRange range = table.range(i);
                if (!query.window.empty() && !query.window.touches(range.start, range.end))
                    continue;
                if (isPython && trace.stackOf({kind, i}).empty())
                    continue;
                const bool isIn = hasStacks ? goesThrough(trace, {kind, i}, path, isTurned)
                    : path.empty()          ? true
                                            : table.name[i] == (isTurned ? path.front() : path.back()).name;
                if (isIn)
                    events.push_back({kind, i});
                if (events.size() >= most)
                    return events;
            }
        }
    }
    std::ranges::sort(events);
    return events;
}

} // namespace warpline
