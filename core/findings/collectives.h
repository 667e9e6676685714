#pragma once

#include "core/findings/rule.h"
#include "core/findings/run_facts.h"

#include <cstdint>
#include <vector>

namespace warpline {

/// One NCCL kernel.
struct Collective {
    EventIndex kernel = noIndex;
    std::int64_t bytes = -1; ///< of the message, from NVTX; -1: not recorded
    StringId range{}; ///< name of NCCL's NVTX range around the launch: "ncclAllReduce"; empty: none
    Ns waiting = 0; ///< time beyond what the fastest of the same name and size takes: it waits for other ranks
};

/// The collectives of one GPU and how much of them computing hides.
struct CollectiveWork {
    GlobalId process = 0;
    std::int32_t device = -1;
    std::vector<Collective> collectives; ///< in order of time
    Intervals communicating;
    Intervals computing; ///< other kernels
    Intervals exposed; ///< communicating while nothing computes
    Intervals waiting; ///< the waiting at the start of the collectives
    Intervals exposedWaiting;
};

/// Every GPU with NCCL kernels in the window. O(n log n).
std::vector<CollectiveWork> collectiveWork(const RuleContext& context);

} // namespace warpline
