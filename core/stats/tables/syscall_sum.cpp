// System calls by name.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"SYSCALL", {}}};

} // namespace

extern constinit const StatsTable syscallSum{.id = "syscall_sum",
    .title = "Syscall Summary",
    .description = "Which system calls take longest? System calls by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, sources, "Num Calls", "Name", false);
        },
    .origin = TableOrigin::Documented,
    .group = TableGroup::OperatingSystem};

} // namespace warpline
