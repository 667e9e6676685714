#pragma once

#include "core/export/json_text.h"
#include "core/replay/what_if.h"

#include <string>
#include <vector>

namespace warpline {

/// What one target is expected to do with a cure.
struct WhatIfResult {
    const WhatIfTarget* target = nullptr;
    Cure cure;
    Expectation expected;
};

/// A sentence and a table for each target: the step as recorded, as replayed, with the cure, and its
/// interval.
std::string whatIfText(const Trace& trace, const std::vector<WhatIfResult>& results);

/// {file, gpus: [{pattern (null: no steps), found_by, pid, device (null: all),
/// steps, measured_ns, replayed_ns, expected_ns, expected_range_ns {low, high}, saving_percent,
/// saving_range_percent {low, high}, uncertainty_percent {model, spread, factors},
/// without_profiler_ns and expected_without_profiler_ns {low, expected, high} (null: not asked for),
/// profiler_call_cost_ns {low, expected, high}, changed, edits: [{kind,
/// name (null: all), factor (null: none) {low, expected, high}}]}]}. Times are of the mean step, or of the
/// whole time where there are no steps.
Json whatIfJson(const Trace& trace, const std::vector<WhatIfResult>& results);

} // namespace warpline
