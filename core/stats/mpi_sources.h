#pragma once

#include "core/stats/library_groups.h"

#include <array>
#include <string_view>

namespace warpline {

inline constexpr std::string_view mpiCollectives = "MPI_COLLECTIVES_EVENTS";
inline constexpr std::string_view mpiPointToPoint = "MPI_P2P_EVENTS";

/// The report's tables of MPI calls, and what nsys calls each.
inline constexpr std::array mpiSources{LibrarySource{mpiCollectives, "collectives"},
    LibrarySource{mpiPointToPoint, "p2p"}, LibrarySource{"MPI_START_WAIT_EVENTS", "start-wait"},
    LibrarySource{"MPI_OTHER_EVENTS", "other"}};

} // namespace warpline
