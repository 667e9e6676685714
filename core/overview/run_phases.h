#pragma once

#include "core/overview/overview.h"
#include "core/steps/steps.h"

#include <stop_token>
#include <string>

namespace warpline {

class TraceAnalysis;

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

} // namespace warpline
