#pragma once

#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"
#include "core/steps/steps.h"

#include <optional>
#include <stop_token>
#include <string>

namespace warpline {

class TraceAnalysis;

/// The sentences about the steps of a run.
struct StepsSaid {
    OverviewSteps steps;
    Message text; ///< whole sentences
    bool isMost = true; ///< at least half of the GPU's work lies in them
    Message edges; ///< about a first or last step that differs from all others, see edgeSentences(); else
                   ///< empty
    TimeRange edgesWhere; ///< that step on the GPU
    TimeRange where; ///< from the first to the last whole step on the GPU; empty: no step is whole
};

/// The steps of the GPU that spends most time in steps, and what bounds them; nothing where there are no
/// steady steps. `stepGlob` names the steps; empty: they are detected. Throws Stopped when `stop` is
/// requested.
std::optional<StepsSaid> describeSteps(const Trace& trace, const GpuBudgets& budgets, TimeRange window,
    const std::string& stepGlob, const std::stop_token& stop = {});

/// When the first kernel or graph begins that `within` touches; the end of `within`: there is none.
Ns firstKernel(const Trace& trace, TimeRange within);

/// The first launch that returns an error; noIndex: none does.
EventIndex failedLaunch(const Trace& trace, TraceAnalysis& facts);

/// The program's own phases of GPU work, by the ranges of `thread`, which launches it: for programs with few
/// or no steps. Empty: the ranges cover little. Throws Stopped when `stop` is requested.
Message textOfOwnRanges(
    const RunOverview& overview, const Trace& trace, GlobalId thread, const std::stop_token& stop);

/// What `thread` does on the host in a steady step of `steps`, by the program's own ranges inside it: "Its
/// NVTX ranges in a steady step, on the host, ...: svd 10.40 ms, solve 7.012 ms." Empty where they cover
/// little of it. Throws Stopped when `stop` is requested.
Message textOfRangesInSteps(
    const Trace& trace, GlobalId thread, const StepSeries& steps, const std::stop_token& stop);

} // namespace warpline
