#pragma once

#include "core/budget/step_budgets.h"
#include "core/export/json_text.h"
#include "core/stats/step_breakdown.h"
#include "core/steps/serving.h"
#include "core/table/cells.h"

#include <limits>
#include <string>
#include <vector>

namespace warpline {

/// Amounts per step that the user knows; 0: not given.
struct StepAmounts {
    double tokens = 0; ///< in a step, of all ranks together
    double samples = 0; ///< in a step
    double flops = 0; ///< floating-point operations that a step needs, on one GPU
    double peakFlops = 0; ///< peak rate of the GPU, per second
};

/// Why no steps were found, and which NVTX ranges may be named as steps. O(n) in the ranges.
Message textOfNoSteps(const Trace& trace);

/// {pattern, found_by, pid, tid, device, steps: [{name, host_range_ns, gpu_range_ns (null: it launched
/// nothing), whole, warm_up, outlier, budget: {part: ns}}], median_gpu_ns, median_host_ns, budget_mean:
/// {part: ns}, steady, profiler (profilerJson()), unlike_others (edgeSentences(); null: the first and the
/// last step are like the others)}. Omits parts without time; those of a step add up to its gpu_range_ns.
Json stepBudgetsJson(const Trace& trace, const StepBudgets& steps, const BudgetParts& parts);
/// The main series, those of other processes and GPUs under `others`, and `parts`: id -> {title, group}.
/// Without steps: pattern null, steps empty. `serving`: steps of model servers; empty where there are none.
Json stepsJson(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const std::vector<Serving>& serving);

/// The GPU and process that `steps` are of; also the thread where several of the process have steps.
Message whoseSteps(const Trace& trace, const GpuSteps& steps);

/// Parts in which any step of any GPU spent time, in their order.
std::vector<std::size_t> usedParts(const std::vector<StepBudgets>& all, const BudgetParts& parts);
/// One line a step: name, note, pid, tid, device, host and GPU times, and the parts that any step has: the
/// `most` longest of them.
Cells stepCells(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    std::size_t most = std::numeric_limits<std::size_t>::max());
/// One line a part: time a step, share, of the steady steps of one GPU; largest first within its group.
Cells budgetCells(const StepBudgets& steps, const BudgetParts& parts);

/// The page for the report of a week: steps, spread, shares by class, exposed communication, machine and run.
Json summaryJson(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const StepAmounts& facts);
std::string summaryMarkdown(const Trace& trace, const std::vector<StepBudgets>& all, const BudgetParts& parts,
    const StepAmounts& facts);

/// One row per step of a program whose steps are not visible on GPUs: name, note, process, thread, start and
/// length.
Cells hostStepCells(const Trace& trace, const StepBreakdown& steps);
/// stepsJson() for such steps: gpu_range_ns and median_gpu_ns are null, budgets empty.
Json hostStepsJson(const Trace& trace, const StepBreakdown& steps);

} // namespace warpline
