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

/// The lifetimes of all memory whose allocation is in the report, by start. An allocation ends with the next
/// release of the same address on the same GPU by the same process; an address that is allocated again was
/// released then. Excludes memory allocated before the recording, and events without an address. O(n log n);
/// throws Stopped when `stop` is requested.
std::vector<MemoryLifetime> memoryLifetimes(const Trace& trace, const std::stop_token& stop);

/// Whether allocations name addresses: PyTorch's profiler of 2021 wrote none.
bool hasAddresses(const Trace& trace);

/// The lifetime that `event`, a GpuMemory, begins or ends; `allocation` is noIndex when it is not known.
/// O(n).
MemoryLifetime lifetimeOf(const Trace& trace, EventIndex event);

} // namespace warpline
