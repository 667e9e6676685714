#pragma once

#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"

#include <optional>
#include <stop_token>
#include <string>

namespace warpline {

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

} // namespace warpline
