// MPI calls by name and by the report's table they come from.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"MPI_COLLECTIVES_EVENTS", "Collectives"},
    LibrarySource{"MPI_P2P_EVENTS", "P2P"}, LibrarySource{"MPI_START_WAIT_EVENTS", "StartWait"},
    LibrarySource{"MPI_OTHER_EVENTS", "Other"}};

} // namespace

extern constinit const StatsTable mpiEventSum{.id = "mpi_event_sum",
    .title = "MPI Event Summary",
    .description = "MPI calls by name.",
    .variants = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, sources, "Instances", "Name", true);
        }};

} // namespace warpline
