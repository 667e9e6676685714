#pragma once

#include "core/budget/critical_path.h"
#include "core/budget/step_budgets.h"
#include "core/export/json_text.h"
#include "core/table/cells.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warpline {

/// The critical path of the steps of one GPU.
struct StepPaths {
    const StepBudgets* steps = nullptr;
    PathSums mean; ///< of the steady whole steps; adds up to their mean
    std::vector<PathSums> each; ///< of each of steps->steps; adds up to its time on the GPU
};

/// The paths of all of `all`, which must outlive the result. Throws Stopped when `stop` is requested.
std::vector<StepPaths> stepPaths(const Trace& trace, const std::vector<StepBudgets>& all,
    const KernelClassRules& rules, const std::stop_token& stop = {});

/// "... bounded by ..." and the table, for each GPU.
std::string pathsText(const Trace& trace, const std::vector<StepPaths>& all, const KernelClassRules& rules,
    std::size_t width = 0);
/// One line a step: name, pid, device, GPU time, and every part that any path has.
Cells pathStepCells(const Trace& trace, const std::vector<StepPaths>& all);
/// {gpus: [{pattern, found_by, pid, device, steady, mean_ns, critical_path: {part: ns}, steps: [{name,
/// gpu_range_ns, critical_path}]}], parts: {id: {title}}}.
Json pathsJson(const Trace& trace, const std::vector<StepPaths>& all, const KernelClassRules& rules);

} // namespace warpline
