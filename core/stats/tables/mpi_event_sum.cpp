// MPI calls by name and by the report's table they come from.

#include "core/stats/mpi_sources.h"

namespace warpline {

extern constinit const StatsTable mpiEventSum{.id = "mpi_event_sum",
    .title = "MPI Event Summary",
    .description = "MPI calls by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, mpiSources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, mpiSources, "Instances", "Name", true);
        },
    .group = TableGroup::Other};

} // namespace warpline
