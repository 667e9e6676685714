#pragma once

#include "core/compare/compare_runs.h"

#include <stop_token>
#include <vector>

namespace warpline {

/// Hints for the sides in `missing`, one sentence each: the option that selects their repeating NVTX ranges
/// as steps, or a range of the recording. O(n) in the ranges. Throws Stopped.
std::vector<Message> missingStepHints(
    const CompareRequest& request, const Both<bool>& missing, const std::stop_token& stop = {});

} // namespace warpline
