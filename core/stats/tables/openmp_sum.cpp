// What OpenMP did, by name: regions, tasks, barriers, waits. Events without a length (the creation of a task)
// are counted too.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"OPENMP_EVENT_KIND_CANCEL", {}},
    LibrarySource{"OPENMP_EVENT_KIND_CRITICAL_SECTION", {}}, LibrarySource{"OPENMP_EVENT_KIND_DISPATCH", {}},
    LibrarySource{"OPENMP_EVENT_KIND_FLUSH", {}}, LibrarySource{"OPENMP_EVENT_KIND_LOCK_DESTROY", {}},
    LibrarySource{"OPENMP_EVENT_KIND_LOCK_INIT", {}}, LibrarySource{"OPENMP_EVENT_KIND_MASTER", {}},
    LibrarySource{"OPENMP_EVENT_KIND_MUTEX_RELEASED", {}}, LibrarySource{"OPENMP_EVENT_KIND_MUTEX_WAIT", {}},
    LibrarySource{"OPENMP_EVENT_KIND_PARALLEL", {}}, LibrarySource{"OPENMP_EVENT_KIND_REDUCTION", {}},
    LibrarySource{"OPENMP_EVENT_KIND_SYNC_REGION", {}},
    LibrarySource{"OPENMP_EVENT_KIND_SYNC_REGION_WAIT", {}}, LibrarySource{"OPENMP_EVENT_KIND_TASK", {}},
    LibrarySource{"OPENMP_EVENT_KIND_TASK_CREATE", {}}, LibrarySource{"OPENMP_EVENT_KIND_TASK_SCHEDULE", {}},
    LibrarySource{"OPENMP_EVENT_KIND_THREAD", {}}, LibrarySource{"OPENMP_EVENT_KIND_WORKSHARE", {}}};

} // namespace

extern constinit const StatsTable openmpSum{.id = "openmp_sum",
    .title = "OpenMP Summary",
    .description
    = "Which OpenMP events take longest? OpenMP events by name: regions, tasks, barriers, waits.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, sources, "Count", "Name", false, true);
        },
    .group = TableGroup::Other};

} // namespace warpline
