#pragma once

#include <string_view>

namespace warpline {

/// True for NVTX domains of libraries, of frameworks and of the profiler itself: their ranges are none of the
/// program's own, and say nothing of what it is doing. The one list of them: what counts ranges of the
/// program asks here. Letters may be small or capital.
bool isLibraryDomain(std::string_view domain);

/// True for domains of NVTX and families of libraries whose calls wait for other processes: "MPI", "UCX",
/// "NVSHMEM". All of them are library domains.
bool isCommunicationLibrary(std::string_view family);

} // namespace warpline
