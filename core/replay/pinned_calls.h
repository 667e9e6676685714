#pragma once

#include "core/derive/call_kinds.h"
#include "core/store/trace.h"

namespace warpline {

/// Whether `call` asks for pinned memory: PyTorch's allocator of pinned memory looks first, by querying its
/// events, which of its buffers are free again.
inline bool asksForPinned(const Trace& trace, EventIndex call, CallKind kind)
{
    return kind == CallKind::PinHost
        || bareCallName(trace.name({EventKind::ApiCall, call})) == "cudaEventQuery";
}

} // namespace warpline
