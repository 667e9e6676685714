#pragma once

#include <string_view>

namespace warpline {

/// The domain of frames among the ranges, which are not NVTX: see framesOf().
inline constexpr std::string_view frameDomain = "Frames";

/// Ends the domains of other kinds of events in a Chrome trace that Warpline wrote: "library (exported)".
inline constexpr std::string_view exportedEnding = " (exported)";

/// True for NVTX domains of libraries, frameworks and the profiler, whose ranges are not the program's own:
/// the only list of them. Ignores case.
bool isLibraryDomain(std::string_view domain);

/// True for NVTX domains and library families whose calls wait for other processes: "MPI", "UCX", "NVSHMEM".
/// All of them are library domains.
bool isCommunicationLibrary(std::string_view family);

/// True for families of library events that draw, or work on video: "Vulkan", "OpenGL GPU workload", "Video
/// decoder".
bool isGraphicsFamily(std::string_view family);
/// True for those of them whose events are the program's calls, and not labels, command buffers or pipelines,
/// which repeat calls.
bool isGraphicsCalls(std::string_view family);

} // namespace warpline
