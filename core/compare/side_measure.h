#pragma once

#include "core/across/rank_summary.h"
#include "core/budget/step_budgets.h"
#include "core/compare/compare_runs.h"
#include "core/compare/step_noise.h"
#include "core/replay/cure.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// One compared step of a side; for several GPUs their mean. Ranks in step take the same time in the long
/// run; at which rank's first kernel a step begins is jitter: one step gains what the next loses. The slowest
/// rank of each step would add up this jitter; the mean removes it, and the parts of the ranks' time add up
/// to it.
struct StepSample {
    Ns length = 0;
    std::uint32_t run = 0; ///< which recording of the side
    std::size_t step = 0; ///< place in ComparedGpu::steps of every GPU of that recording
};

/// A report of a side, and where its GPUs spent their time.
struct MeasuredReport {
    const Trace* trace = nullptr;
    std::uint32_t run = 0;
    std::unique_ptr<const GpuBudgets> budgets;
    std::vector<StepBudgets> steps; ///< of the GPUs that take part; empty: no steps
    std::vector<ParticipantSummary> participants; ///< of exchanges, with their ranks
};

/// How the CUDA graphs of a side are traced.
enum class GraphTracing { None, Nodes, Whole };

/// The measurements of one side, before the comparison.
struct SideMeasure {
    std::vector<MeasuredReport> reports; ///< of all recordings
    ComparedSide side;
    CompareUnit unit = CompareUnit::Whole;
    std::vector<StepSample> samples; ///< those that count, in order of time
    GraphTracing graphs = GraphTracing::None;
    std::optional<ProfiledStep> profiled; ///< nothing: several GPUs, or no steps that a replay explains
    StepSpread spread; ///< of the samples; for several recordings of all of them, see spreadOfRuns()
    bool missingSteps = false; ///< steps were named by number, and the side has none of them
    std::string missingGlob; ///< the requested step names, which the side lacks; empty: it has them
};

/// Measures a side by its steps; by the unit Whole where it has none that are whole and steady, or has
/// guessed ones that cover less than half of the GPU's time in the chosen range. Throws Stopped when `stop`
/// is requested.
SideMeasure measureSide(
    const SideRequest& request, const KernelClassRules& rules, const std::stop_token& stop);
/// Changes the unit of `measure` from Whole to Step when it has steps but no whole one, as in a trace of one
/// step: the last one counts, up to the end of its work. A chosen range stays as it is, and so does a part of
/// a recording that may lack work of that step.
void measureLastStep(SideMeasure& measure, const SideRequest& request);
/// Changes the unit of `measure` to Whole: each GPU with work in the chosen range counts from its start to
/// its end; without a range from its first to its last work.
void measureWhole(SideMeasure& measure, const SideRequest& request);

/// The time of the mean step by part, which adds up to the mean step to the nanosecond. By BudgetPart::id.
struct MeanPart {
    const BudgetPart* part = nullptr;
    Ns time = 0;
    double error = -1; ///< standard error of its mean over all samples, in ns; negative: a single one
};
/// Without `byRange`, idle time inside a range or an operator counts as that outside, for a comparison with a
/// side that has no ranges.
std::map<std::string, MeanPart> meanBudget(const SideMeasure& measure, bool byRange = true);

/// The mean time per step of each GPU (index in ComparedSide::gpus) by part, keyed by BudgetPart::id;
/// `byRange` as above.
std::map<std::string, std::vector<Ns>> partsByGpu(const SideMeasure& measure, bool byRange);

/// Scales `parts` to add up to `sum`; the largest remainders absorb the rounding error. `parts` are not
/// negative; all zero: the first takes all.
void scaleTo(std::vector<Ns>& parts, Ns sum);

} // namespace warpline
