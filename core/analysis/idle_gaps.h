#pragma once

#include "core/analysis/trace_analysis.h"

#include <stop_token>
#include <vector>

namespace warpline {

/// Shorter gaps get no cause (ns).
inline constexpr Ns shortestCause = 20'000;

/// Why a GPU idled in a gap: what the thread did that then launched the next work.
struct GapCause {
    bool known = false; ///< false: the launch of the next work is not recorded
    GlobalId thread = 0;
    EventIndex call = noIndex; ///< the call that launched the next work
    TimeRange host; ///< the part of the gap until that call returned
    CauseTimes parts{}; ///< the gap's time by the thread's activity; from the call's return to the work's
                        ///< start: Queued
    IdleCause main = IdleCause::OwnCode; ///< the largest part
};

/// For a gap that no work ends (edgeGaps()): what the thread did that launched the work before it.
GapCause causeOf(const Trace& trace, TraceAnalysis& facts, const IdleGap& gap);

/// The time from `from`, the end of the last work that `process` launched on a GPU, to the end of the steady
/// steps: the thread that launched this work is the cause of it. Empty: `from` is not in the steady steps.
TimeRange behindLastWork(TraceAnalysis& facts, GlobalId process, Ns from);

/// The idle time of `gpu` at the edges of its steady steps: before its first work, where the steps begin
/// earlier, and after its last one, which is IdleGap::next there. Part of the measured time like the gaps in
/// between.
std::vector<IdleGap> edgeGaps(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu);

/// Shortens `parts` of an edge, in order of time, to `usual`, the time that gaps between steps have; longer
/// edges contain one-time events. Keeps the part next to the steps: for the first edge the last one. Returns
/// the remaining time.
Ns cutToUsual(std::vector<TimeRange>& parts, Ns usual, bool isFirst);

/// Idle time after a short kernel, up to this long, is launch overhead (ns); longer idle time has another
/// cause.
inline constexpr Ns launchWorth = 20'000;

/// The time in which all of `gpus` idle after kernels shorter than `brief` that neither belong to a graph nor
/// communicate: up to the next kernel of the stream, and at most launchWorth after each. O(n log streams) in
/// the kernels of `window`. Throws Stopped when `stop` is requested.
PackedIntervals idleAfterShort(const Trace& trace, const std::vector<GpuFacts>& gpus, TimeRange window,
    Ns brief, const std::stop_token& stop);

} // namespace warpline
