#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/budget/gpu_budget.h"
#include "core/overview/overview.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

// The sentences of an overview: about the start, the work, the steps, graphics, and programs without GPU
// work.

namespace warpline {

/// "The GPU works for 7.3 ms (2.1%): 3.1 ms in kernels (1 launch), ..." by the parts of `overview`; empty: no
/// GPU works. Throws Stopped when `stop` is requested.
Message textOfWork(
    const RunOverview& overview, const Trace& trace, TraceAnalysis& facts, const std::stop_token& stop);

/// GPU work at the start of a recording that began in the middle of the run: "At the start the GPU works for
/// 13.74 ms, until 14.48 ms, on what was launched before the recording ..."; sets `where` to that time.
/// Empty: the recording contains all launches, or no calls are recorded. O(n) in the GPU work. Throws
/// Stopped.
Message textOfEarlierWork(
    const RunOverview& overview, const Trace& trace, TimeRange& where, const std::stop_token& stop);

/// Page migrations of unified memory after the last kernel or copy: ", meanwhile 24 migrations bring ...";
/// empty: there are none.
Message textOfPagesBack(const RunOverview& overview, const Trace& trace, const std::stop_token& stop);

/// Which of several GPUs computes most and least: "Of 4 GPUs in use, rank 2 computes most (81.2% ...)";
/// empty: there is one GPU.
Message textOfRanks(const RunOverview& overview);
/// A hint that waiting needs the reports of all ranks, for a report whose only GPU communicates; else empty.
/// O(n) in the names of kernels. Throws Stopped.
Message textOfLoneRank(TraceAnalysis& facts, const Trace& trace, const std::stop_token& stop);

/// The share of elementwise kernels (arithmetic, activations, copies and casts, one launch per operation) in
/// the kernels' time of `window`, and the potential saving of fusing them. Neighbours on a stream within one
/// step become one kernel, which takes at least as long as the shortest of them. Empty: they take less than a
/// fifth of that time or a fiftieth of `window`, are few, or none is recognized. Kernels
/// that communicate do not count. O(kernels in `window` times log of the steps + text of their names). Throws
/// Stopped when `stop` is requested.
Message textOfElementwise(
    const Trace& trace, TraceAnalysis& facts, TimeRange window, const std::stop_token& stop);

/// Describes `start`, the part of `overview` in which CUDA starts: its length, and which call of `thread`, or
/// which time between two calls, takes most of it and why. Throws Stopped when `stop` is requested.
Message textOfCudaStart(const RunOverview& overview, const OverviewPart& start, const Trace& trace,
    TraceAnalysis& facts, GlobalId thread, const std::stop_token& stop);

/// Describes `loading`, from the first GPU work to the first kernel: what the GPU does, and why it idles.
Message textOfLoading(const RunOverview& overview, const GpuBudgets& budgets, TimeRange loading);

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

/// When the first kernel or graph begins that `within` touches; the end of `within`: there is none.
Ns firstKernel(const Trace& trace, TimeRange within);

/// The first launch that returns an error; noIndex: none does.
EventIndex failedLaunch(const Trace& trace, TraceAnalysis& facts);

/// The program's own phases of GPU work, by the ranges of `thread`, which launches it: for programs with few
/// or no steps. Empty: the ranges cover little. Throws Stopped when `stop` is requested.
Message textOfOwnRanges(
    const RunOverview& overview, const Trace& trace, GlobalId thread, const std::stop_token& stop);

/// What `thread` does on the host in a steady step of `steps`, by the program's own ranges inside it: "Its
/// NVTX ranges in a steady step, on the host, ...: svd 10.40 ms, solve 7.012 ms." Empty where they cover
/// little of it. Throws Stopped when `stop` is requested.
Message textOfRangesInSteps(
    const Trace& trace, GlobalId thread, const StepSeries& steps, const std::stop_token& stop);

struct GraphicsStory {
    Message headline; ///< "199 frames, median 939 us, 8 late"; empty: no frames are marked
    /// Calls by library, GPU work, and frames with the late ones; one sentence each.
    std::vector<Message> sentences;
};

/// Describes graphics and video work in `window`; empty: there is none. Throws Stopped.
GraphicsStory graphicsStory(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

/// What a program without GPU work did: its threads, NVTX ranges by domain, CUDA calls, library calls, files,
/// waits in the operating system, and functions in CPU samples. One sentence each; empty: the report has none
/// of these. Throws Stopped when `stop` is requested.
std::vector<Message> whatRanInstead(const Trace& trace, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
