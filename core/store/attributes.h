#pragma once

#include "core/store/trace.h"

namespace warpline {

// Accessors of EventTable::attribute, by the kind of its table, so that readers need not know the column. For
// rows of a list of records the typed tables have them (KernelTable::launch() ...).

/// Memset: the memory that is set.
inline MemoryKind memoryOfSet(const Trace& trace, EventIndex memset)
{
    return memoryKindOf(trace.table(EventKind::Memset).attribute[memset]);
}
/// ThreadState: the core that the thread ran on, or was on last.
inline std::uint32_t coreOfState(const Trace& trace, EventIndex state)
{
    return trace.table(EventKind::ThreadState).attribute[state];
}
/// Sample: the core that was sampled.
inline std::uint32_t coreOfSample(const Trace& trace, EventIndex sample)
{
    return trace.table(EventKind::Sample).attribute[sample];
}
/// ApiCall: the return value, a cudaError_t or CUresult; 0: success.
inline std::int32_t returnedBy(const Trace& trace, EventIndex call)
{
    return static_cast<std::int32_t>(trace.apiCalls().attribute[call]);
}
/// HostFunction: the CUDA graph that it is of; 0: none.
inline std::uint32_t graphOfHostFunction(const Trace& trace, EventIndex function)
{
    return trace.table(EventKind::HostFunction).attribute[function];
}
/// PageFault: the number of faults of the event.
inline std::uint32_t faultsIn(const Trace& trace, EventIndex event)
{
    return trace.pageFaults().attribute[event];
}
/// NvtxProjected: the range that it projects onto the GPU.
inline EventIndex rangeProjectedBy(const Trace& trace, EventIndex projected)
{
    return trace.table(EventKind::NvtxProjected).attribute[projected];
}
/// CpuCore: the thread state that it shows on its core.
inline EventIndex stateShownBy(const Trace& trace, EventIndex onCore)
{
    return trace.table(EventKind::CpuCore).attribute[onCore];
}

} // namespace warpline
