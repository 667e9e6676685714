#pragma once

#include <string_view>

namespace warpline::mpi_table {

/// The report's tables of MPI calls; Track::source has the name of the one that a call was read from.
inline constexpr std::string_view collectives = "MPI_COLLECTIVES_EVENTS";
inline constexpr std::string_view pointToPoint = "MPI_P2P_EVENTS";
inline constexpr std::string_view startWait = "MPI_START_WAIT_EVENTS";
inline constexpr std::string_view other = "MPI_OTHER_EVENTS";

} // namespace warpline::mpi_table
