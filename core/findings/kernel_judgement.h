#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"

#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// One thing that a report tells of how well a launch uses its GPU, or that it cannot tell.
struct KernelFact {
    Message label; ///< "Blocks", "Occupancy"
    Message text; ///< "1 block for 108 multiprocessors: 107 of them have nothing to do."
    bool warns = false; ///< a reason to change the launch
    bool leads = false; ///< told wherever the kernel is named, whether or not it warns
};

/// The time of `kernel` in which it waits for pages of unified memory, where that is over half of it; else 0:
/// then nothing that Nsight Compute tells matters. O(events in it). Throws Stopped when `stop` is requested.
Ns pageWaitOf(const Trace& trace, EventIndex kernel, const std::stop_token& stop = {});

/// "Is this kernel good?", as far as a report of nsys can say: the grid against the GPU, the block against
/// warps, occupancy and what limits it, how much memory was moved where metrics were sampled, and last what
/// is not in such a report, with the command that tells, or that it waits for pages. O(n) in the kernels of
/// its process. Throws Stopped when `stop` is requested.
std::vector<KernelFact> judgeKernel(const Trace& trace, EventIndex kernel, const std::stop_token& stop = {});

} // namespace warpline
