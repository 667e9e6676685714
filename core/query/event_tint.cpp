// Colour categories of events.

#include "core/base/words.h"
#include "core/query/event_text.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

EventTint tintOfCopy(CopyKind kind)
{
    if (comesToGpu(kind))
        return EventTint::CopyHtoD;
    if (leavesGpu(kind))
        return EventTint::CopyDtoH;
    if (kind == CopyKind::DtoD || kind == CopyKind::UnifiedDtoD)
        return EventTint::CopyDtoD;
    return kind == CopyKind::PtoP ? EventTint::CopyPtoP : EventTint::CopyOther;
}

/// Calls after "MPI_" that wait (MPI 4.1: blocking procedures). MPI_I... starts and returns.
constexpr std::array<std::string_view, 22> waitingMpi{"Wait", "Barrier", "Recv", "Mrecv", "Probe", "Mprobe",
    "Send", "Ssend", "Rsend", "Bsend", "Allreduce", "Reduce", "Bcast", "Gather", "Allgather", "Scatter",
    "Alltoall", "Scan", "Exscan", "Neighbor_", "Win_fence", "Win_wait"};
/// Parts of names of other libraries' calls that wait, as nsys writes them.
constexpr std::array<std::string_view, 6> waitingOthers{
    "Barrier", "Waiting", "Taskwait", "Taskgroup", "_barrier", "_wait"};

/// True for library calls in which a thread waits for other processes or threads: MPI_Waitall, MPI_Barrier,
/// blocking collectives and receives; barriers and locks of OpenMP; waits of UCX and NVSHMEM. Decided by name
/// only: an MPI_Recv whose message is there already returns at once. O(length).
bool waitsForOthers(std::string_view name)
{
    if (name.starts_with("PMPI_"))
        name.remove_prefix(1);
    if (name.starts_with("MPI_")) {
        name.remove_prefix(4);
        const auto begins = [&](std::string_view word) { return name.starts_with(word); };
        // Handles that are made once and started later.
        const bool prepares = name.ends_with("_init") || name.starts_with("Reduce_local");
        return !prepares && std::ranges::any_of(waitingMpi, begins);
    }
    return containsAny(name, waitingOthers);
}

} // namespace

EventTint apiFamilyOf(std::string_view name)
{
    static constexpr std::array<std::string_view, 4> syncs{
        "Synchronize", "WaitEvent", "StreamQuery", "EventQuery"};
    static constexpr std::array<std::string_view, 3> copies{"Memcpy", "Memset", "MemPrefetch"};
    static constexpr std::array<std::string_view, 9> memory{"Malloc", "Free", "HostAlloc", "HostRegister",
        "HostUnregister", "MemAlloc", "MemPool", "MemCreate", "MemMap"};
    if (containsAny(name, syncs))
        return EventTint::ApiSync;
    if (name.find("Launch") != std::string_view::npos)
        return EventTint::ApiLaunch;
    if (containsAny(name, copies))
        return EventTint::ApiCopy;
    return containsAny(name, memory) ? EventTint::ApiMemory : EventTint::ApiOther;
}

EventTint tintOf(const Trace& trace, EventRef event)
{
    switch (event.kind) {
    case EventKind::Kernel:
        return trace.displayName(event).starts_with("nccl") ? EventTint::Collective : EventTint::Kernel;
    case EventKind::Memcpy:
        return tintOfCopy(trace.memcpys().copy(event.index).kind);
    case EventKind::Memset:
        return EventTint::Memset;
    case EventKind::Synchronization:
    case EventKind::CudaEvent:
    case EventKind::HostFunction:
        return EventTint::Synchronization;
    case EventKind::Decompression:
        return EventTint::CopyOther;
    case EventKind::GraphTrace:
    case EventKind::GraphEvent:
        return EventTint::Graph;
    case EventKind::ApiCall:
        return apiFamilyOf(trace.name(event));
    case EventKind::Nvtx:
    case EventKind::NvtxProjected:
        return EventTint::Nvtx;
    case EventKind::OsRuntime:
    case EventKind::FileAccess:
        return EventTint::OsRuntime;
    case EventKind::Library:
        // Waiting for other ranks looks as waiting for the GPU does.
        return waitsForOthers(trace.name(event)) ? EventTint::ApiSync : EventTint::Library;
    case EventKind::ThreadState:
        return trace.name(event) == "Running" ? EventTint::Running : EventTint::Waiting;
    case EventKind::Sample:
        return EventTint::Sample;
    case EventKind::GpuMemory:
    case EventKind::GpuMemoryPool:
    case EventKind::PageFault:
        return EventTint::Memory;
    case EventKind::CpuCore:
        return EventTint::OsRuntime;
    default:
        return EventTint::Overhead;
    }
}

} // namespace warpline
