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

/// True for families of library events that draw, or work on video: "Vulkan", "OpenGL GPU workload", "Video
/// decoder".
bool isGraphicsFamily(std::string_view family);
/// True for those of them whose events are the program's calls, and not labels, command buffers or pipelines,
/// which repeat calls.
bool isGraphicsCalls(std::string_view family);

} // namespace warpline
