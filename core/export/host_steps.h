#pragma once

#include "core/stats/step_breakdown.h"
#include "core/table/cells.h"

#include <string>

namespace warpline {

/// One line a step of a program whose GPUs tell nothing of it: name, note, process, thread, start and length.
Cells hostStepCells(const Trace& trace, const StepBreakdown& steps);
/// The document of stepsDocument() for such steps: {pattern, found_by, steps: [{name, host_ns, gpu_ns: null,
/// whole: false, warm_up, outlier, budget: {}}], median_gpu_ns: null, median_host_ns, steady ...}.
std::string hostStepsDocument(const Trace& trace, const StepBreakdown& steps);

} // namespace warpline
