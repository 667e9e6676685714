#pragma once

#include "core/findings/rule.h"
#include "core/findings/run_facts.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpline {

/// One kernel that communicates.
struct Collective {
    EventIndex kernel = noIndex;
    std::int64_t bytes = -1; ///< of the message, from NVTX; -1: not recorded
    /// Name of NCCL's NVTX range around the launch: "ncclAllReduce"; of a group that of its last member,
    /// "ncclRecv". Empty: none.
    StringId range{};
    std::uint32_t members = 0; ///< sends and receives of the group that launched it; 0: not recorded
    Ns waiting
        = 0; ///< time beyond one and a quarter of what the fastest of the same name and size takes: it waits
};

/// The communication of one GPU, and how much of it computing hides.
struct CollectiveWork {
    GlobalId process = 0;
    std::int32_t device = -1;
    std::vector<Collective> collectives; ///< in order of time
    Intervals communicating;
    Intervals computing; ///< kernels that do not communicate
    Intervals exposed; ///< communicating while nothing computes
    Intervals waiting; ///< the waiting at the start of the collectives
    Intervals exposedWaiting;
};

/// Every GPU with collectives in the window: communication of all ranks with all. An all-to-all made of sends
/// and receives counts, the sends and receives between the stages of a pipeline do not. O(n log n).
std::vector<CollectiveWork> collectiveWork(const RuleContext& context);
/// Every GPU that sends to or receives from another one in the window. O(n log n).
std::vector<CollectiveWork> pointToPointWork(const RuleContext& context);
/// Whether `gpus` do not tell how much of their communication is waiting: one rank alone, most of whose
/// messages have no size that is known. Then the fastest may have waited as long as the others.
bool isWaitingUnknown(const Trace& trace, const std::vector<CollectiveWork>& gpus);
/// Whether any kernel of the report communicates. O(n).
bool hasCommunication(const Trace& trace, const std::stop_token& stop);

} // namespace warpline
