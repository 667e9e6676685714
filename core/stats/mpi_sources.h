#pragma once

#include "core/stats/library_groups.h"
#include "core/store/mpi_tables.h"

#include <array>

namespace warpline {

/// The report's tables of MPI calls, with nsys' names for them.
inline constexpr std::array mpiSources{LibrarySource{mpi_table::collectives, "collectives"},
    LibrarySource{mpi_table::pointToPoint, "p2p"}, LibrarySource{mpi_table::startWait, "start-wait"},
    LibrarySource{mpi_table::other, "other"}};

} // namespace warpline
