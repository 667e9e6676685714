#include "core/derive/started_work.h"

#include "core/derive/call_kinds.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

bool launchesGraph(std::string_view call)
{
    return call.find("GraphLaunch") != std::string_view::npos;
}

/// Whether some work is of a graph, or may be.
bool mayHaveGraphWork(const Trace& trace, const std::stop_token& stop)
{
    constexpr std::array kinds{EventKind::Kernel, EventKind::Memcpy, EventKind::Memset};
    OncePerName isGraph([&](StringId name) { return launchesGraph(trace.text(name)); });
    const auto isOfGraph = [&](EventRef work) {
        const EventRef call = trace.apiCallOf(work);
        return !call.valid() || isGraph(trace.apiCalls().name[call.index]);
    };
    return !trace.table(EventKind::GraphTrace).empty() || std::ranges::any_of(kinds, [&](EventKind kind) {
        for (const EventIndex i : everyEvent(trace.table(kind), stop)) {
            if (isOfGraph({kind, i}))
                return true;
        }
        return false;
    });
}

} // namespace

StartedWork startedWork(const Trace& trace, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    const CallKinds kinds(trace);
    OncePerName isGraph([&](StringId name) { return launchesGraph(trace.text(name)); });
    StartedWork started;
    for (const EventIndex i : everyEvent(calls, stop)) {
        if (i < calls.attribute.size() && calls.attribute[i] != 0)
            continue;
        const bool isLaunch = kinds[i] == CallKind::Launch;
        started.launches += isLaunch ? 1 : 0;
        started.graphs += isLaunch && isGraph(calls.name[i]) ? 1 : 0;
        started.copies += kinds[i] == CallKind::Copy ? 1 : 0;
    }
    started.mayHaveGraphs = mayHaveGraphWork(trace, stop);
    return started;
}

} // namespace warpline
