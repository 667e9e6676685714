#pragma once

#include "core/base/message.h"
#include "core/base/time.h"
#include "core/coverage/intervals.h"
#include "core/findings/kernel_judgement.h"
#include "core/store/event_kind.h"
#include "core/store/gpu_names.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;
class GpuBudgets;
class TraceAnalysis;

/// Parts of a run's time, in the order of the bar; the profiler's part is placed where most of its time lies.
enum class OverviewKind : std::uint8_t {
    BeforeCuda, ///< from the start to the first CUDA call
    CudaStart, ///< in CUDA calls before the first GPU work, or probably so: see silentStartOf()
    HostBefore, ///< from the first CUDA call to the first GPU work, outside of CUDA calls
    Queued, ///< the first GPU work is launched but has not begun: see queuedStart()
    CopiesIn, ///< only copies to the GPU
    Kernels, ///< kernels that compute, on any GPU
    Pages, ///< kernels wait for pages of unified memory, and page migrations, also after the last kernel or
           ///< copy
    Communication, ///< only kernels that communicate
    OtherCopies, ///< only copies within and between GPUs, and memsets
    Idle, ///< no GPU works, between the first and the last GPU work
    CopiesOut, ///< only copies to the host
    Exit, ///< after the last kernel, copy or memset, while no pages move
    Profiler, ///< no GPU works and nsys holds a thread that makes CUDA calls
    HostOnly, ///< no GPU works in the whole report: all time but CUDA calls and the profiler's
};
inline constexpr std::size_t overviewKinds = static_cast<std::size_t>(OverviewKind::HostOnly) + 1;
std::string_view keyOf(OverviewKind kind); ///< The name in JSON: "before_cuda".

/// What the host does in one phase of a part in which no GPU works.
struct OverviewPhase {
    Message name; ///< "reads files", "in calls of MPI", "data_load": one of the program's own ranges
    Ns time = 0;
    std::uint64_t stretches = 0; ///< 0: not counted
    TimeRange where; ///< the stretch that holds nine tenths of it, or all; empty: unknown
    Message label{}; ///< a shorter name for narrow places: "MPI", "data_load"
};

/// One part of the time. Parts are disjoint and add up to RunOverview::window, to the nanosecond.
struct OverviewPart {
    OverviewKind kind = OverviewKind::Idle;
    Ns time = 0;
    std::uint64_t stretches = 0; ///< number of pieces of `time`
    TimeRange where; ///< the whole part where it is one piece, else its longest piece
    Intervals alone{}; ///< the time of host parts before and after the GPU work, and between it where that is
                       ///< not in too many pieces
    /// What the host does in it, as the report names it: disjoint, at most `time` together.
    std::vector<OverviewPhase> phases{};
    Message meanOf{}; ///< "2 GPUs", "4 processes": the phases are an average over them; empty: they are not
    GpuApi api = GpuApi::Cuda; ///< the API that the title names
};
Message titleOf(const OverviewPart& part); ///< "Before the first CUDA call"
Ns otherTime(const OverviewPart& part); ///< the time of `part` that none of its phases names
/// The name of `phase` of `part` where there is room: "reads files (mean of 4 processes)".
Message phaseText(const OverviewPart& part, const OverviewPhase& phase);

/// One sentence about the run.
struct OverviewSentence {
    Message text; ///< whole sentences
    TimeRange where; ///< the time that the text is about; empty: no place
};

/// One of the kernels that take most.
struct OverviewKernel {
    std::string name;
    std::string gpu; ///< "GPU 0", where there are several: all here is of that one; else empty
    Ns time = 0; ///< of all its launches, inside the window
    double share = 0; ///< of the time of all kernels of its GPU, 0..1
    std::uint64_t launches = 0;
    EventRef longest; ///< the launch that the rest is about
    Message shape; ///< see launchShape()
    std::vector<KernelFact> facts; ///< see judgeKernel(); the last holds the ncu command
};

/// What one GPU of one process did between the first and the last GPU work of the report.
struct OverviewGpu {
    std::string gpu; ///< "GPU 0"; processes may share it
    Message name; ///< "GPU 0 of [523] train, rank 0"
    Ns computing = 0;
    Ns waiting = 0; ///< kernels that wait for pages of unified memory
    Ns communicating = 0; ///< only
    Ns copying = 0; ///< only
    Ns idle = 0;
};

/// A column of the table that compares GPUs.
struct OverviewGpuColumn {
    Message title; ///< "waits for pages"
    Ns OverviewGpu::*time = nullptr;
};
/// The columns in which any of `gpus` has time.
std::vector<OverviewGpuColumn> columnsOf(const std::vector<OverviewGpu>& gpus);

/// The steps of the GPU that spends most time in steps.
struct OverviewSteps {
    std::string pattern; ///< "step_#"
    std::size_t count = 0;
    std::size_t steady = 0; ///< as the checklist and the findings count them: on the host
    std::size_t whole = 0; ///< steps that are whole on the GPU, where the end of the last one is unknown
    Ns median = 0; ///< of these, on the GPU
    Message bound; ///< the largest part of a step: "data loading in load"
    double boundShare = 0; ///< 0..1 of the mean step
};

/// Overview of a report: what somebody who has just opened it needs to know.
struct RunOverview {
    TimeRange window; ///< the analyzed time: the session, or a part of it
    TimeRange life; ///< from the first to the last GPU work in it; empty: no GPU works
    TimeRange measured; ///< the denominator of savings: TraceAnalysis::measuredRange()
    std::vector<OverviewPart> parts; ///< those with time, in the order of OverviewKind: see there
    /// The same for `measured`, where it leaves out start-up and end; else empty.
    std::vector<OverviewPart> measuredParts;
    Message
        frames; ///< of graphics without GPU work of CUDA: "199 frames, median 939 us, 8 late"; empty: none
    std::vector<OverviewSentence> sentences;
    std::optional<OverviewSteps> steps;
    std::vector<OverviewKernel> kernels; ///< up to three of the busiest GPU, longest first
    std::vector<OverviewGpu> gpus; ///< where there are several, by process, then device
    Message machine; ///< machine and recording in one line

    Ns timeOf(OverviewKind kind) const;
};

/// The overview of the window of `facts`. `keepsIdleTimes`: for a timeline, see IdleTimes::keep(). O(n log n)
/// in the GPU work. Empty when a stop of `facts` is requested.
RunOverview overviewOf(TraceAnalysis& facts, bool keepsIdleTimes = false);

struct OverviewParts {
    std::vector<OverviewPart> all; ///< RunOverview::parts
    std::vector<OverviewPart> ofMeasured; ///< RunOverview::measuredParts
};
/// Only the parts of `window`, and of `measured` in it. `life` is RunOverview::life; an empty `measured` has
/// no parts. Throws Stopped when a stop of `facts` is requested.
OverviewParts overviewParts(TraceAnalysis& facts, TimeRange window, TimeRange life, TimeRange measured);

/// For a run without a large finding (isNothingLarge()): where most of its time went, and which part of it
/// the findings cover. Leads to the first finding.
Message nothingLargeText(const RunOverview& overview);

/// Fills steps and sentences from the rest of `overview`. Throws Stopped when a stop of `facts` is requested.
void addSentences(RunOverview& overview, TraceAnalysis& facts, const GpuBudgets& budgets);

} // namespace warpline
