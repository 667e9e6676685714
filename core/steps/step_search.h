#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/steps/step_names.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Ranges of one thread that could be the steps of its program.
struct StepCandidate {
    GlobalId thread = 0;
    std::string pattern;
    StepRank rank = StepRank::Any;
    std::vector<EventIndex> ranges; ///< in order of time, not overlapping; those of a warm-up come first
    std::size_t warmUps = 0; ///< how many of them lie inside a range that is named a warm-up
    Ns total = 0; ///< of the others, cut to the window
};

/// Result of one pass over the NVTX ranges.
struct StepSearch {
    std::vector<StepCandidate> candidates; ///< that are long, many and dense enough
    std::map<GlobalId, std::vector<EventIndex>> prefills; ///< ranges with prefill in their name, by thread
};

/// Every candidate of the window; with `glob` the matching ranges, whatever their names. O(n) in the ranges,
/// and O(length) for each name. Throws Stopped when `stop` is requested.
StepSearch searchSteps(
    const Trace& trace, TimeRange window, const std::string& glob, const std::stop_token& stop);

/// True when `a` is a better series of iterations than `b`: by its name, then the outer one, then the longer.
bool isBetterStep(const Trace& trace, const StepCandidate& a, const StepCandidate& b);

} // namespace warpline
