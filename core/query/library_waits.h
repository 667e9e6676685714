#pragma once

#include <string_view>

namespace warpline {

/// True for library calls in which a thread waits for other processes or threads: MPI_Waitall, MPI_Barrier,
/// blocking collectives and receives; barriers and locks of OpenMP; waits of UCX and NVSHMEM. Decided by name
/// only: an MPI_Recv whose message is there already returns at once. O(length).
bool waitsForOthers(std::string_view callName);

} // namespace warpline
