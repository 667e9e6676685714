#pragma once

#include "core/steps/gpu_steps.h"

#include <set>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Iterations of programs without NVTX ranges that would tell them: a guess, from what the thread launches
/// that launches most. Launches of CUDA graphs that repeat, else a sequence of kernels that repeats: nine of
/// ten launches must be followed by one of the same name a period later. A step begins where the host usually
/// pauses longest. One series a process; those in `known` are left out. O(n) in the launches, and a few tries
/// of O(n).
std::vector<StepHost> guessSteps(
    const Trace& trace, TimeRange window, const std::set<GlobalId>& known, const std::stop_token& stop = {});

/// The distance at which `symbols` repeats, judged without its first third, which may be warm-up; 0: it does
/// not.
std::size_t periodOf(const std::vector<std::uint64_t>& symbols);

} // namespace warpline
