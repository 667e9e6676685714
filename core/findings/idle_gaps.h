#pragma once

#include "core/findings/run_facts.h"

namespace warpline {

/// Idle stretches up to this long in which the launching thread only launches and computes are the pace of
/// launching itself (launch_bound); longer ones have a cause of their own (gpu_idle_cause).
inline constexpr Ns launchPace = 1'000'000;
/// Shorter gaps are too short to ask what the host did in them.
inline constexpr Ns shortestCause = 20'000;

/// Why a GPU ran nothing in a gap: what the thread did that then launched the next work.
struct GapCause {
    bool known = false; ///< false: the report does not say which call launched the next work
    GlobalId thread = 0;
    EventIndex call = noIndex; ///< the call that launched the next work
    TimeRange host; ///< the part of the gap until that call returned
    HostSplit parts{}; ///< the gap's time by what the thread did; from the call's return to the work's start:
                       ///< Launched
    HostDoing main = HostDoing::OwnCode; ///< the largest part
};

GapCause causeOf(const Trace& trace, RunFacts& facts, const IdleGap& gap);

/// True for gaps that are the pace of launching. A thread that sleeps paces nothing.
constexpr bool isLaunchPace(HostDoing doing, Ns gap)
{
    return gap < launchPace
        && (doing == HostDoing::Launching || doing == HostDoing::Launched || doing == HostDoing::OtherCalls
            || doing == HostDoing::OwnCode || doing == HostDoing::OsCalls);
}

} // namespace warpline
