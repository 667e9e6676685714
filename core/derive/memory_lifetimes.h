#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Memory from its allocation to its release.
struct MemoryLifetime {
    EventIndex allocation = noIndex; ///< of kind GpuMemory
    EventIndex release = noIndex; ///< noIndex: it was held to the end of the report
    TimeRange held; ///< to the end of the session when it was not released
};

/// The lifetimes of all memory whose allocation is in the report, by their start: an allocation goes with the
/// next release of the same address on the same GPU by the same process. One of an address that is allocated
/// again before any release was released unseen: then. Releases of what was allocated before the recording
/// are in none, nor is what has no address. O(n log n); throws Stopped when `stop` is requested.
std::vector<MemoryLifetime> memoryLifetimes(const Trace& trace, const std::stop_token& stop);

/// Whether allocations name addresses: PyTorch's profiler of 2021 wrote none.
bool hasAddresses(const Trace& trace);

/// The lifetime that `event`, a GpuMemory, begins or ends; `allocation` is noIndex when it is not known.
/// O(n).
MemoryLifetime lifetimeOf(const Trace& trace, EventIndex event);

} // namespace warpline
