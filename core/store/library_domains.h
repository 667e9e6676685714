#pragma once

#include <string_view>

namespace warpline {

/// True for NVTX domains of libraries, frameworks and the profiler, whose ranges are not the program's own:
/// the only list of them. Ignores case.
bool isLibraryDomain(std::string_view domain);

/// True for NVTX domains and library families whose calls wait for other processes: "MPI", "UCX", "NVSHMEM".
/// All of them are library domains.
bool isCommunicationLibrary(std::string_view family);

} // namespace warpline
