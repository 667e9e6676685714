// MPI calls by name and by the report's table they come from.

#include "core/stats/mpi_sources.h"

namespace warpline {

extern constinit const StatsTable mpiEventSum{.id = "mpi_event_sum",
    .title = "MPI Event Summary",
    .description
    = "Which MPI calls take longest? MPI calls by name. A call that waits for several requests counts once for each, as its rows in the "
      "report do.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, mpiSources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, mpiSources, "Instances", "Name", true);
        },
    .group = TableGroup::Other};

} // namespace warpline
