#pragma once

#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>

namespace warpline {

/// Answers to StatsTable::applies that several tables share.
inline bool hasKernels(const Trace& trace)
{
    return !trace.kernels().empty();
}
inline bool hasMemoryOperations(const Trace& trace)
{
    return !trace.memcpys().empty() || !trace.table(EventKind::Memset).empty();
}
inline bool hasGpuWork(const Trace& trace)
{
    return hasKernels(trace) || hasMemoryOperations(trace);
}
inline bool hasApiCalls(const Trace& trace)
{
    return !trace.apiCalls().empty();
}
inline bool hasKernelsAndCalls(const Trace& trace)
{
    return hasKernels(trace) && hasApiCalls(trace);
}
/// Whether pages of unified memory fault or move.
inline bool hasUnifiedMemory(const Trace& trace)
{
    return !trace.pageFaults().empty()
        || std::ranges::any_of(
            trace.memcpys().copies, [](const CopyAttributes& copy) { return isMigration(copy.kind); });
}
/// Whether any NVTX event is of `eventType` (59 push/pop, 60 start/end), or either of these for 0.
bool hasNvtxRanges(const Trace& trace, std::uint8_t eventType = 0);
/// Whether any range can be a step: an NVTX range or a frame.
bool hasAnyNvtxRange(const Trace& trace);

} // namespace warpline
