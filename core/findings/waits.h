#pragma once

#include "core/analysis/trace_analysis.h"

#include <vector>

namespace warpline {

/// The part of the measured time from the first steady step of `process` on: what it loses before is warm-up,
/// although other processes may have steady steps then.
TimeRange measuredRangeOf(TraceAnalysis& facts, GlobalId process);
/// The time in which `gpu` works for other processes: then it is not idle, although its own one has no work.
/// Empty where its process has the GPU for itself. O(GPUs + work of the others).
PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu);
/// The same of all GPUs of `process` at once.
PackedIntervals timeOfOthers(const Trace& trace, TraceAnalysis& facts, GlobalId process);
/// The part of `idle`, times in which `process` leaves its GPUs without work, that it loses: in its measured
/// time, while no other process uses the GPUs. O(n + work of the others).
Intervals lostIdleOf(const Trace& trace, TraceAnalysis& facts, GlobalId process, const Intervals& idle);

/// A GPU that went idle around the end of a call that waits: what the wait costs.
struct WaitCost {
    /// From where the GPUs went idle to their next work; empty: they had work, or none follows.
    TimeRange idle;
    /// The end of `idle`, no longer than the wait took: without the wait the host would have been earlier by
    /// the wait's length at most, so that launching ahead could fill no more than this.
    TimeRange lost;
};

/// The cost of a wait of `wait`, by a thread whose process uses `gpus`. The one definition: the checklist,
/// and the rules about waits, ask here. Where several GPUs run dry the longest counts. O(GPUs log gaps).
WaitCost costOf(const std::vector<const GpuFacts*>& gpus, TimeRange wait);

/// True for a call after which its process starts no kernel any more: it waits for the result, as it must.
/// O(GPUs).
bool isLastWait(const Trace& trace, TraceAnalysis& facts, EventRef call);

} // namespace warpline
