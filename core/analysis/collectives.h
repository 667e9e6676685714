#pragma once

#include "core/base/ids.h"
#include "core/coverage/intervals.h"

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// One kernel that communicates.
struct Collective {
    EventIndex kernel = noIndex;
    std::int64_t bytes = -1; ///< of the message, from NVTX; -1: not recorded
    /// Name of NCCL's NVTX range around the launch: "ncclAllReduce"; of a group that of its last member,
    /// "ncclRecv". Empty: none.
    StringId range{};
    std::uint32_t members = 0; ///< sends and receives of the group that launched it; 0: not recorded
    Ns waiting = 0; ///< time above 1.25 times the fastest of equal name and size (ns): waiting
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

/// The communication of a window, by GPU.
struct CommunicationWork {
    /// All-to-all collectives. Those made of sends and receives count; sends and receives between pipeline
    /// stages do not.
    std::vector<CollectiveWork> collectives;
    std::vector<CollectiveWork> pointToPoint; ///< GPUs that send to or receive from another one
};
/// O(n log n). Throws Stopped when `stop` is requested. Ask TraceAnalysis::communication(), which keeps it.
CommunicationWork communicationWork(const Trace& trace, TimeRange window, const std::stop_token& stop);
/// Whether the waiting share of the communication of `gpus` is unknown: a single rank, most of whose messages
/// have no known size. Then the fastest may have waited as long as the others.
bool isWaitingUnknown(const Trace& trace, const std::vector<CollectiveWork>& gpus);
/// Whether any kernel of the report communicates. O(n).
bool hasCommunication(const Trace& trace, const std::stop_token& stop);

} // namespace warpline
