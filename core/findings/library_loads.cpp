#include "core/findings/library_loads.h"

#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <tuple>

namespace warpline {

namespace {

constexpr std::string_view loadingCall = "dlopen";

} // namespace

std::string_view libraryIn(std::string_view name)
{
    name.remove_prefix(std::min(name.size(), name.starts_with(loadingCall) ? loadingCall.size() + 1 : 0));
    return name.substr(0, name.find(')'));
}

std::vector<EventIndex> libraryLoads(const Trace& trace, const std::stop_token& stop)
{
    const EventTable& table = trace.table(EventKind::Overhead);
    const auto thread = [&](EventIndex i) { return table.trackOf(i).owner; };
    std::vector<EventIndex> events;
    for (const EventIndex i : everyEvent(table, stop))
        events.push_back(i);
    // The longer of two that begin together holds the other.
    std::ranges::sort(events, {},
        [&](EventIndex i) { return std::tuple(thread(i), table.start[i], -table.duration[i], i); });
    std::vector<EventIndex> loads;
    EventIndex outermost = noIndex;
    for (const EventIndex i : events) {
        if (outermost != noIndex && thread(outermost) == thread(i) && table.end(i) <= table.end(outermost))
            continue;
        outermost = i;
        if (trace.text(table.name[i]).starts_with(loadingCall))
            loads.push_back(i);
    }
    return loads;
}

} // namespace warpline
