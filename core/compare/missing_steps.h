#pragma once

#include "core/compare/compare_runs.h"

#include <stop_token>
#include <vector>

namespace warpline {

/// What would find the steps of the sides in `missing`, whole sentences: for each the option that names its
/// NVTX ranges that repeat, or a part of it. O(n) in the ranges. Throws Stopped.
std::vector<Message> missingStepHints(
    const CompareRequest& request, const Both<bool>& missing, const std::stop_token& stop = {});

} // namespace warpline
