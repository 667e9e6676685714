#pragma once

#include "core/replay/replay.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A replayable part of a report: the steps of one GPU, or all activity of a process without steps.
struct WhatIfTarget {
    Replay replay;
    std::string pattern; ///< "step_#"; empty: there are no steps
    StepSource foundBy = StepSource::Nvtx;
    GlobalId thread = 0; ///< that has the steps; 0: there are none
    std::size_t steady = 0; ///< steps that the replayed ones stand for
    TimeRange covered; ///< the represented time: all steady steps, or from first to last GPU work

    /// Whether the replay has only the middle of too many steps. Two are cut at the ends anyway.
    bool hasSomeSteps() const { return steady > replay.graph().steps + 2; }
};

/// The targets in `window` of `trace`: for each GPU with steps (findGpuSteps()) its steady ones, the GPU with
/// most time in steps first; for a process without steps its time from the first to the last GPU work. `glob`
/// names the steps; empty: they are detected. Leaves out targets beyond `limits`. Throws Stopped.
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
