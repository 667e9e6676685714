#include "core/stats/trace_rows.h"

#include "core/stats/grouping.h"

#include <algorithm>

namespace warpline {

std::vector<EventRef> eventsByStart(
    const Trace& trace, std::span<const EventKind> kinds, const StatsQuery& query)
{
    struct Entry {
        Ns start;
        std::uint32_t order; ///< of the kind
        std::uint32_t row;
        EventRef event;
    };
    std::vector<Entry> entries;
    for (std::uint32_t order = 0; order < kinds.size(); ++order) {
        const EventTable& table = trace.table(kinds[order]);
        forEachEvent(table, query, [&](EventIndex i) {
            entries.push_back({table.start[i], order, table.sourceRow[i], {kinds[order], i}});
        });
        if (query.stop.stop_requested())
            break;
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
        if (a.start != b.start)
            return a.start < b.start;
        return a.order != b.order ? a.order < b.order : a.row < b.row;
    });
    std::vector<EventRef> events;
    events.reserve(entries.size());
    for (const Entry& entry : entries)
        events.push_back(entry.event);
    return events;
}

std::string deviceLabel(const Trace& trace, GlobalId owner, std::int32_t device)
{
    const Device* const gpu = trace.device(owner, device);
    return (gpu ? gpu->name : std::string()) + " (" + std::to_string(device) + ")";
}

std::vector<EventRef> rowEvents(const StatsQuery& query, EventRef event)
{
    return query.wantEvents ? std::vector{event} : std::vector<EventRef>{};
}

Cell integerCell(std::int64_t value)
{
    return value;
}

Cell megabytesCell(std::uint64_t bytes)
{
    return static_cast<double>(bytes) / 1e6;
}

} // namespace warpline
