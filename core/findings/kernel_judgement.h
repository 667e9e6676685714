#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <vector>

namespace warpline {

class TraceAnalysis;

/// A fact about how well a launch uses its GPU, or that it is unknown.
struct KernelFact {
    Message label; ///< "Blocks", "Occupancy"
    Message text; ///< "1 block for 108 multiprocessors: 107 of them have nothing to do."
    bool warns = false; ///< a reason to change the launch
    bool leads = false; ///< shown wherever the kernel is named, with or without a warning
};

/// See pageWaitOf().
struct PageWait {
    Ns time = 0;
    std::uint64_t evicted = 0; ///< bytes that made room, where PageTraffic::lacksRoom(); else 0
};

/// The time in which `kernel` waits for pages of unified memory, where that is over half of it; else 0: then
/// nothing else about the kernel matters. O(events in it) and TraceAnalysis::pageWaits().
PageWait pageWaitOf(TraceAnalysis& facts, EventIndex kernel);

/// How good a kernel is, as far as an nsys report shows: grid against GPU, block against warps, occupancy and
/// its limit, moved bytes where metrics were sampled. Last come the facts that need another tool, with its
/// command, or that the kernel waits for pages. `isLongest`: the facts stand with all launches of its name,
/// of which `kernel` is the longest. O(n) in the kernels of its process.
std::vector<KernelFact> judgeKernel(TraceAnalysis& facts, EventIndex kernel, bool isLongest = false);

} // namespace warpline
