#pragma once

#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"

#include <optional>
#include <stop_token>
#include <string>

namespace warpline {

/// What is said of the steps of a run.
struct StepsSaid {
    OverviewSteps steps;
    Message text; ///< whole sentences
    bool isMost = true; ///< half of the GPU's work and more lies in them
    Message edges; ///< of a first or last step that is unlike all others, see edgeSentences(); else empty
    TimeRange edgesWhere; ///< that step on the GPU
    TimeRange where; ///< from the first to the last whole step on the GPU; empty: no step is whole
};

/// The steps of the GPU that spends most time in steps, and what bounds them; nothing where there are none,
/// or none that is steady. `stepGlob` names them; empty: they are found. Throws Stopped when `stop` is
/// requested.
std::optional<StepsSaid> describeSteps(const Trace& trace, const GpuBudgets& budgets, TimeRange window,
    const std::string& stepGlob, const std::stop_token& stop = {});

} // namespace warpline
