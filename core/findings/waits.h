#pragma once

#include "core/analysis/trace_analysis.h"

#include <vector>

namespace warpline {

/// The measured time from the first steady step of `process` on: its time before is warm-up, even if other
/// processes have steady steps then.
TimeRange measuredRangeOf(TraceAnalysis& facts, GlobalId process);
/// The time of `window` in which `gpu` works for other processes: it is not idle then, although its own
/// process has no work. Empty where its process has the GPU alone. O(work in the window).
PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu, TimeRange window);
/// The same of all GPUs of `process` at once.
PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, GlobalId process, TimeRange window);
/// The part of `idle`, times in which `process` leaves its GPUs without work, that it loses: in its measured
/// time, while no other process uses the GPUs. O(n + work of the others).
Intervals lostIdleOf(const Trace& trace, TraceAnalysis& facts, GlobalId process, const Intervals& idle);

/// The cost of a wait: a GPU that went idle around its end.
struct WaitCost {
    /// From where the GPUs went idle to their next work; empty: they had work, or none follows.
    TimeRange idle;
    /// The end of `idle`, at most the length of the wait: without the wait the host would be earlier by at
    /// most that.
    TimeRange lost;
};

/// The cost of a wait of `wait`, by a thread whose process uses `gpus`: the only definition, for the
/// checklist and the rules about waits. Where several GPUs idle the longest counts. O(GPUs log gaps).
WaitCost costOf(const std::vector<const GpuFacts*>& gpus, TimeRange wait);

/// True for a call after which its process starts no kernel any more: it waits for the result, as it must.
/// O(GPUs).
bool isLastWait(const Trace& trace, TraceAnalysis& facts, EventRef call);

} // namespace warpline
