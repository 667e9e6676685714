#pragma once

#include "core/overview/overview.h"

#include <stop_token>
#include <string>

namespace warpline {

class RunFacts;

/// When the first kernel or graph begins that `within` touches; the end of `within`: there is none.
Ns firstKernel(const Trace& trace, TimeRange within);

/// The first launch that returns an error; noIndex: none does.
EventIndex failedLaunch(const Trace& trace, RunFacts& facts);

/// What the program itself calls the phases of its GPU work, by the ranges of `thread`, which launches it: of
/// a program that has no steps, or hardly any. Empty: its ranges say little. Throws Stopped when `stop` is
/// requested.
std::string textOfOwnRanges(
    const RunOverview& overview, const Trace& trace, GlobalId thread, const std::stop_token& stop);

} // namespace warpline
