#pragma once

#include "core/export/json_text.h"
#include "core/stats/step_breakdown.h"
#include "core/table/cells.h"

#include <string>

namespace warpline {

/// One row per step of a program whose steps are not visible on GPUs: name, note, process, thread, start and
/// length.
Cells hostStepCells(const Trace& trace, const StepBreakdown& steps);
/// stepsJson() for such steps: gpu_range_ns and median_gpu_ns are null, budgets empty.
Json hostStepsJson(const Trace& trace, const StepBreakdown& steps);

} // namespace warpline
