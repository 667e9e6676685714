#pragma once

#include "core/base/message.h"
#include "core/kernels/kernel_classes.h"
#include "core/steps/gpu_steps.h"
#include "core/store/event_kind.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// A piece of a critical path, with its part.
struct PathPiece {
    TimeRange range;
    EventRef
        event; ///< the GPU work, the call that waits; not valid(): the host between calls, or nothing known
    std::string id; ///< "compute_gemm", "communication", "copy", "set", "graph"; "host", "host_wait";
                    ///< "host_ranks" (in calls that wait for other ranks), "launch", "queue", "unknown"
};

/// The work that bounds a step: a chain back from its end, in which no piece could begin before the previous
/// one was done. GPU work begins when the latest of these is done: earlier work of its stream, an event that
/// its stream waits for, its launch. A launch comes when its thread reaches it, which is bound by the last
/// work that the thread waited for. Exposed work is not always critical: work next to a longer chain bounds
/// nothing.
class CriticalPaths {
public:
    /// The work of `process`, on all its GPUs. O(n log n). Throws Stopped when `stop` is requested.
    CriticalPaths(const Trace& trace, GlobalId process, const KernelClassRules& rules = kernelClassRules(),
        const std::stop_token& stop = {});
    ~CriticalPaths();

    /// The path through `step`, as GPU `device` has it; the pieces meet and add up to the step. In order of
    /// time. O(pieces log n).
    std::vector<PathPiece> through(TimeRange step, std::int32_t device) const;

private:
    struct Index;
    std::unique_ptr<const Index> m_index;
};

/// Time by PathPiece::id.
using PathSums = std::map<std::string, Ns>;
PathSums sumsOf(const std::vector<PathPiece>& path);
/// The title of `id`: "Host: own code and calls" ...
Message pathTitle(const std::string& id, const KernelClassRules& rules = kernelClassRules());

/// The mean path of the steady whole steps of `steps`, rounded so that it adds up to the mean step. Throws
/// Stopped.
PathSums meanPath(const CriticalPaths& paths, const GpuSteps& steps, const std::stop_token& stop = {});

} // namespace warpline
