#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

class Trace;

/// NVTX ranges of the program's own that share a pattern.
struct RepeatedRanges {
    std::string pattern; ///< "step_#"
    std::string glob; ///< matches them: "step_*"
    std::size_t count = 0;
    Ns total = 0; ///< of their durations
};

/// The program's own NVTX ranges that occur at least `minCount` times, those with most time first:
/// suggestions for steps where none were found. O(n) in the ranges. Throws Stopped.
std::vector<RepeatedRanges> repeatedRanges(
    const Trace& trace, std::size_t minCount = 2, const std::stop_token& stop = {});

} // namespace warpline
