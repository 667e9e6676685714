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

/// A stretch of a critical path, and what it is spent in.
struct PathPiece {
    TimeRange range;
    EventRef
        event; ///< the GPU work, the call that waits; not valid(): the host between calls, or nothing known
    std::string id; ///< "compute_gemm", "communication", "copy", "set", "graph"; "host", "host_wait";
                    ///< "host_ranks" (in calls that wait for other ranks), "launch", "queue", "unknown"
};

/// Which work bounds a step: a chain back from its end in which each piece could not begin before the one
/// before it was done. Work on the GPU begins when what was launched before it on its stream is done, when
/// what its stream waits for by an event is done, or when its launch returned, whichever is last; a launch
/// comes when its thread has got so far, which is bound by the last work that the thread waited for. Exposed
/// is not the same as critical: work beside a longer chain bounds nothing, however bare it lies.
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
/// "Host: own code and calls" ...: `id` in words.
Message pathTitle(const std::string& id, const KernelClassRules& rules = kernelClassRules());

/// The mean path of the steady whole steps of `steps`, rounded so that it adds up to the mean step.
PathSums meanPath(const CriticalPaths& paths, const GpuSteps& steps);

} // namespace warpline
