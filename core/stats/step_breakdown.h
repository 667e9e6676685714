#pragma once

#include "core/stats/duration_summary.h"
#include "core/stats/stats_table.h"
#include "core/steps/slow_steps.h"
#include "core/steps/step_names.h"

#include <string>
#include <vector>

namespace warpline {

class Trace;

/// One instance of the range that a program repeats: a training step, an iteration, a request.
struct Step {
    EventIndex range = noIndex; ///< of the Nvtx table
    bool warmUp = false; ///< one of the first, and much slower than later ones; see StepSeries
    bool outlier = false; ///< no warm-up, and far slower than its peers: see outlyingSteps()
    /// The step as the first GPU of its thread sees it, see GpuSteps; empty: it launched nothing.
    TimeRange gpu;
    bool gpuWhole = false; ///< false: the last step, whose end on the GPU is unknown
    /// For the first or the last step of its thread, if it is clearly shorter or longer than all others and
    /// not an outlier (edgeSteps()): the length of its range relative to the typical one. 0: it is like
    /// others.
    double ofUsual = 0;
    StepWork work; ///< what a model server does in it; Plain where the name does not show it
    /// Time in the ranges directly inside, one for each of StepBreakdown::parts. Ranges at the same time
    /// count once in their part; parts may overlap.
    std::vector<Ns> parts;
    Ns other = 0; ///< time in none of them
    // Activity of the GPUs of the step's process between its start and its end, as mean over these GPUs.
    Ns busy = 0; ///< any kernel, copy, set or graph ran
    Ns copy = 0; ///< a copy or set ran
    Ns communication = 0; ///< a NCCL kernel ran
    Ns exposedCommunication = 0; ///< a NCCL kernel ran, and no other kernel

    /// "warm-up", "outlier" or empty.
    std::string note() const { return warmUp ? "warm-up" : outlier ? "outlier" : ""; }
};

/// The parts of a report's steps: data of a stacked bar for each step, and of the tables about steps.
struct StepBreakdown {
    std::string pattern; ///< glob of the ranges taken as steps: ":step_*"
    /// Names of the ranges directly inside, digits as *, in the order they first come; of more than 200, or
    /// fewer where there are very many steps, those with the most time.
    std::vector<std::string> parts;
    std::vector<Step> steps; ///< by thread, then start
    DurationSummary steady; ///< durations of the steps that are no warm-up
    DurationSummary
        steadyGpu; ///< the same as the GPU sees them, of those that are whole there; count 0: none
};

/// The breakdown of the push/pop and start/end ranges whose name matches `glob`, with or without their
/// domain's name in front. An empty glob uses the steps of findSteps(), whose warm-up always applies.
/// Includes whole steps that overlap `window`; empty: all.
///
/// Warm-up is determined by the steps on the GPU, where they launched work; else by their ranges, as in
/// findSteps(). Outliers are those of outlyingSteps() by `slow`, among the steps of their thread; for a model
/// server of their kind and batch size. Threads with fewer than four steps have neither. Throws Stopped when
/// `stop` is requested.
StepBreakdown breakDownSteps(const Trace& trace, const std::string& glob, TimeRange window = {},
    const SlowStepLimits& slow = {}, const std::stop_token& stop = {});

/// The same without `parts`, `other` and the GPUs' activity: only the steps, their lengths, warm-up and
/// outliers.
StepBreakdown classifySteps(const Trace& trace, const std::string& glob, TimeRange window = {},
    const SlowStepLimits& slow = {}, const std::stop_token& stop = {});

} // namespace warpline
