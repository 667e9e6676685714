#pragma once

#include "core/steps/gpu_steps.h"

#include <set>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Guesses iterations of programs without suitable NVTX ranges, from the launches of the thread that launches
/// most. Uses repeated CUDA graph launches, else a repeated sequence of kernels: nine of ten launches must
/// recur with the same name one period later. A step begins at the usually longest pause of the host. One
/// series per process; leaves out those in `known`. O(n) in the launches, and a few tries of O(n).
std::vector<StepHost> guessSteps(
    const Trace& trace, TimeRange window, const std::set<GlobalId>& known, const std::stop_token& stop = {});

/// The period of `symbols`, without its first third, which may be warm-up; 0: there is none.
std::size_t periodOf(const std::vector<std::uint64_t>& symbols);

} // namespace warpline
