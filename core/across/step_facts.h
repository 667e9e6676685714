#pragma once

#include "core/across/rank_summary.h"
#include "core/budget/gpu_budget.h"
#include "core/coverage/gpu_times.h"
#include "core/steps/gpu_steps.h"

#include <map>
#include <stop_token>
#include <vector>

namespace warpline {

/// Shared inputs for extracting the steps of a report's participants.
struct StepSources {
    const Trace& trace;
    TraceAnalysis& facts; ///< of the session
    std::vector<GpuSteps> onGpus; ///< every GPU's
    std::map<std::uint32_t, StepSeries> onHosts; ///< every process', by pid
    std::map<GpuOfProcess, GpuTimes> times;
    GpuBudgets budgets;
};

/// The series of steps of `participant` on the host; nullptr: it has none.
const StepSeries* stepSeriesOf(const StepSources& sources, const ParticipantSummary& participant);

/// Sets steps, parts and compute times of `participant`, whose exchanges are known. Throws Stopped.
void addSteps(const StepSources& sources, ParticipantSummary& participant, const std::stop_token& stop);

/// Sets the paces of the kernels of `participant` that ran while nothing communicated, and adds the part
/// "kernels" to its steps. Throws Stopped.
void addKernelPaces(const Trace& trace, const Intervals& communicating, ParticipantSummary& participant,
    const std::stop_token& stop);

/// The union of the times in which exchanges of `participant` ran that can wait for others.
Intervals communicationOf(const ParticipantSummary& participant, TimeRange session);

} // namespace warpline
