#pragma once

#include "core/replay/replay.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// What can be replayed of a report: the steps of one GPU, or all that a process without steps does.
struct WhatIfTarget {
    Replay replay;
    std::string pattern; ///< "step_#"; empty: there are no steps
    StepSource foundBy = StepSource::Nvtx;
    GlobalId thread = 0; ///< that has the steps; 0: there are none
    TimeRange
        covered; ///< what the replayed steps stand for: all steady ones, or all from first to last GPU work
};

/// The targets of `window` of `trace`: of each GPU with steps, see findGpuSteps(), its steady ones, the GPU
/// that spends most time in steps first; of a process without steps its time from the first to the last GPU
/// work. `glob` names the steps; empty: they are found. What is too large for `limits` is not in it. Throws
/// Stopped.
std::vector<WhatIfTarget> whatIfTargets(const Trace& trace, TimeRange window, const std::string& glob = {},
    const ReplayLimits& limits = {}, const std::stop_token& stop = {});

/// The same for steps that were found already, of processes in `steps` alone.
std::vector<WhatIfTarget> whatIfTargets(const Trace& trace, const std::vector<GpuSteps>& steps,
    TimeRange window, const ReplayLimits& limits = {}, const std::stop_token& stop = {});

/// Whether anything of `trace` can be replayed: GPU work whose launch is recorded. Cheap; steps may still be
/// too large.
bool mayReplay(const Trace& trace);

/// Names of kernels in `graph` that are written much like `glob`, at most three; where none is, those that
/// take most time.
std::vector<std::string> kernelsNear(const Trace& trace, const ReplayGraph& graph, std::string_view glob);

} // namespace warpline
