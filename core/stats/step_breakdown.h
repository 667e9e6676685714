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
    bool warmUp = false; ///< one of the first, and far slower than the later ones; see StepSeries
    bool outlier = false; ///< no warm-up, and far slower than its peers: see outlyingSteps()
    /// The step as the first GPU of its thread sees it, see GpuSteps; empty: it launched nothing.
    TimeRange gpu;
    bool gpuWhole = false; ///< false: the last step, of which nothing tells where it ends on the GPU
    /// Of the first or the last step of its thread, where it is clearly shorter or longer than all others and
    /// no outlier, see edgeSteps(): the length of its range as a share of the usual. 0: it is like others.
    double ofUsual = 0;
    StepWork work; ///< what a model server does in it; Plain where the name does not say
    std::vector<Ns> parts; ///< time in the ranges directly inside, one for each of StepBreakdown::parts
    Ns other = 0; ///< time in none of them
    // What the GPUs of the step's process did between its start and its end, each the mean over these GPUs.
    Ns busy = 0; ///< any kernel, copy, set or graph ran
    Ns copy = 0; ///< a copy or set ran
    Ns communication = 0; ///< a NCCL kernel ran
    Ns exposedCommunication = 0; ///< a NCCL kernel ran, and no other kernel
};

/// What goes into the steps of a report: the data of a stacked bar for each step, and of the tables about it.
struct StepBreakdown {
    std::string pattern; ///< glob of the ranges taken as steps: ":step_*"
    std::vector<std::string>
        parts; ///< names of the ranges directly inside, digits as *, in the order they first come
    std::vector<Step> steps; ///< by thread, then start
    DurationSummary steady; ///< durations of the steps that are no warm-up
    DurationSummary
        steadyGpu; ///< the same as the GPU sees them, of those that are whole there; count 0: none
};

/// The breakdown of the push/pop and start/end ranges whose name matches `glob`, with or without their
/// domain's name in front. An empty glob takes the steps that findSteps() finds, whose warm-up it is in any
/// case. Steps that touch `window` count, whole; empty: all.
///
/// Warm-up is judged by the steps as the GPU sees them, where they launched work; else by their ranges, where
/// it is that of findSteps(). Outliers are those of outlyingSteps(), among the steps of their thread, in a
/// model server of their kind and batch size: `slow` says. Threads with fewer than four steps have neither.
/// Throws Stopped when `stop` is requested.
StepBreakdown breakDownSteps(const Trace& trace, const std::string& glob, TimeRange window = {},
    const SlowStepLimits& slow = {}, const std::stop_token& stop = {});

/// The same without `parts`, `other` and what the GPUs did between the start and the end of each step: which
/// steps there are, how long they take, and which are warm-up or outliers.
StepBreakdown classifySteps(const Trace& trace, const std::string& glob, TimeRange window = {},
    const SlowStepLimits& slow = {}, const std::stop_token& stop = {});

/// `name` with each run of digits as *: "step_12" -> "step_*".
std::string digitsAsStars(std::string_view name);

} // namespace warpline
