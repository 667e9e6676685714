#pragma once

#include "core/analysis/trace_analysis.h"

#include <vector>

namespace warpline {

/// Shorter gaps are too short to ask what the host did in them.
inline constexpr Ns shortestCause = 20'000;

/// Why a GPU ran nothing in a gap: what the thread did that then launched the next work.
struct GapCause {
    bool known = false; ///< false: the report does not say which call launched the next work
    GlobalId thread = 0;
    EventIndex call = noIndex; ///< the call that launched the next work
    TimeRange host; ///< the part of the gap until that call returned
    CauseTimes parts{}; ///< the gap's time by what the thread did; from the call's return to the work's
                        ///< start: Queued
    IdleCause main = IdleCause::OwnCode; ///< the largest part
};

/// Of a gap that no work ends (edgeGaps()), what the thread did that launched the work before it.
GapCause causeOf(const Trace& trace, TraceAnalysis& facts, const IdleGap& gap);

/// The idle time of `gpu` at the ends of its steady steps: until its first work is launched, where the steps
/// begin before it, and behind its last one, which is IdleGap::next there. Part of the measured time as the
/// gaps between are.
std::vector<IdleGap> edgeGaps(const Trace& trace, TraceAnalysis& facts, const GpuFacts& gpu);

/// Cuts `parts` of an edge, in order of time, to `usual`, what gaps between steps have: more happens once.
/// What is next to the steps stays: the last of the first edge. Returns what is left.
Ns cutToUsual(std::vector<TimeRange>& parts, Ns usual, bool isFirst);

} // namespace warpline
