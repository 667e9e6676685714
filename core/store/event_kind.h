#pragma once

#include "core/base/ids.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline {

/// Kinds of events. Each has one EventTable in a Trace.
enum class EventKind : std::uint8_t {
    Kernel, ///< CUPTI_ACTIVITY_KIND_KERNEL
    Memcpy, ///< CUPTI_ACTIVITY_KIND_MEMCPY
    Memset, ///< CUPTI_ACTIVITY_KIND_MEMSET
    Synchronization, ///< CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
    GraphTrace, ///< CUPTI_ACTIVITY_KIND_GRAPH_TRACE: a CUDA graph traced as a whole
    CudaEvent, ///< CUPTI_ACTIVITY_KIND_CUDA_EVENT: event records
    HostFunction, ///< CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH: a stream waits for the host
    Decompression, ///< CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS
    ApiCall, ///< CUPTI_ACTIVITY_KIND_RUNTIME and _DRIVER
    Nvtx, ///< NVTX_EVENTS: ranges and marks
    OsRuntime, ///< OSRT_API
    Library, ///< cuBLAS, cuDNN, MPI, OpenGL ...: calls of a library on a thread
    ThreadState, ///< SCHED_EVENTS turned into slices of running and waiting
    Sample, ///< COMPOSITE_EVENTS: CPU samples, marks
    Overhead, ///< PROFILER_OVERHEAD and CUPTI_ACTIVITY_KIND_OVERHEAD
    GraphEvent, ///< CUDA_GRAPH_EVENTS and CUDA_GRAPH_NODE_EVENTS: graphs being made on the CPU
    GpuMemory, ///< CUDA_GPU_MEMORY_USAGE_EVENTS: allocations and releases, marks
    GpuMemoryPool, ///< CUDA_GPU_MEMORY_POOL_EVENTS: pools made, trimmed, released; marks
    PageFault, ///< CUDA_UM_*_PAGE_FAULT_EVENTS
    FileAccess, ///< OSRT_FILE_ACCESS_EVENTS
    Diagnostic, ///< DIAGNOSTIC_EVENT: marks
    NvtxProjected, ///< derived: NVTX ranges moved to the GPU
    CpuCore, ///< derived: the thread on a CPU core
};

inline constexpr std::size_t eventKindCount = static_cast<std::size_t>(EventKind::CpuCore) + 1;

constexpr std::size_t indexOf(EventKind kind)
{
    return static_cast<std::size_t>(kind);
}

/// Every kind, in the order of the enumeration.
constexpr std::array<EventKind, eventKindCount> allEventKinds()
{
    std::array<EventKind, eventKindCount> kinds{};
    for (std::size_t i = 0; i < eventKindCount; ++i)
        kinds[i] = static_cast<EventKind>(i);
    return kinds;
}

/// Kinds that run on a device and carry a correlation id: the first eight.
inline constexpr std::size_t deviceKindCount = 8;
constexpr bool runsOnDevice(EventKind kind)
{
    return indexOf(kind) < deviceKindCount;
}

/// The number of events of a device kind that a packed link can name; see Links::pack().
inline constexpr std::size_t maxLinkedEvents = (std::size_t{1} << 29U) - 1;
/// Kinds that repeat events of other kinds: not counted, and not listed among all events.
constexpr bool isDerived(EventKind kind)
{
    return kind == EventKind::NvtxProjected || kind == EventKind::CpuCore;
}

/// Kernels, copies, memsets and whole graphs: the work that keeps a GPU busy.
constexpr bool isGpuWork(EventKind kind)
{
    return kind == EventKind::Kernel || kind == EventKind::Memcpy || kind == EventKind::Memset
        || kind == EventKind::GraphTrace;
}

inline constexpr std::array gpuWorkKinds{
    EventKind::Kernel, EventKind::Memcpy, EventKind::Memset, EventKind::GraphTrace};

/// The key of the kind in JSON and in settings: "kernel", "cuda_api", "thread_states" ...
std::string_view keyOf(EventKind kind);
/// The same with ranges that are recorded on a GPU, see isRecordedOnGpu(), as a kind: "gpu_annotation".
std::string_view kindKeyOf(EventKind kind, bool recordedOnGpu);
/// Nsight's title of the kind: "Kernel", "CUDA API call", "OS runtime call" ...
std::string_view titleOf(EventKind kind);

/// One event of a trace.
struct EventRef {
    EventKind kind = EventKind::Kernel;
    EventIndex index = noIndex;

    constexpr bool valid() const { return index != noIndex; }
    friend constexpr bool operator==(EventRef, EventRef) = default;
    friend constexpr auto operator<=>(EventRef, EventRef) = default;
};

/// One track of a trace: the table by kind, and the index into EventTable::tracks.
struct TrackRef {
    EventKind kind = EventKind::Kernel;
    std::uint32_t track = noIndex;

    constexpr bool valid() const { return track != noIndex; }
    friend constexpr bool operator==(TrackRef, TrackRef) = default;
    friend constexpr auto operator<=>(TrackRef, TrackRef) = default;
};

} // namespace warpline
