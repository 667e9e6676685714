// Calls of OS runtime libraries by name. Marks (the start and stop of recording, named "[Unknown]") are not
// calls and are left out.

#include "core/stats/applies.h"
#include "core/stats/summary_rows.h"

namespace warpline::osrt_sum {

namespace {

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const EventTable& calls = trace.table(EventKind::OsRuntime);
    Groups groups(query);
    forEachEvent(calls, query, [&](EventIndex i) {
        if (calls.duration[i] > 0)
            groups.add(raw(calls.name[i]), calls.duration[i], {EventKind::OsRuntime, i});
    });
    groups.finish();
    return summaryTable(groups, {"Num Calls", {"Name"}, {}},
        [&](std::uint64_t key) { return Labels{std::string(trace.text(static_cast<StringId>(key)))}; });
}

} // namespace

extern constinit const StatsTable osrtSum{.id = "osrt_sum",
    .title = "OS Runtime Summary",
    .description = "In which system calls does the program wait? Calls of OS runtime libraries by name.",
    .applies = [](const Trace& trace) { return !trace.table(EventKind::OsRuntime).empty(); },
    .fill = fill,
    .group = TableGroup::OperatingSystem};

} // namespace warpline::osrt_sum
