#pragma once

#include "core/export/json_text.h"
#include "core/replay/what_if.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warpline {

/// "GPU 0 of process 2593, thread train (2601)": the replayed target; the thread is that of the steps.
Message labelOf(const Trace& trace, const WhatIfTarget& target);
/// How many of `targets` are of the process and GPU of `target`.
std::size_t threadsBeside(const std::vector<const WhatIfTarget*>& targets, const WhatIfTarget& target);
/// Limits of `expected`, as sentences: collectives that wait for other ranks, a replay that does not explain
/// the program, or makes work no longer. `threads`: how many have steps on the GPU.
std::vector<Message> notesOf(const Expectation& expected, std::size_t threads);

/// The expected effect of a cure on one target.
struct WhatIfResult {
    const WhatIfTarget* target = nullptr;
    Cure cure;
    Expectation expected;
};

/// A sentence and a table for each target: the step, or the whole run, as recorded, as replayed, with the
/// cure, and its interval.
std::string whatIfText(const Trace& trace, const std::vector<WhatIfResult>& results, std::size_t width = 0);

/// {file, gpus: [{pattern (null: no steps), found_by, pid, device (null: all), steps, measured_ns,
/// replayed_ns, expected_ns, expected_range_ns {low, high}, saving_percent, saving_range_percent {low, high},
/// uncertainty_percent {model, spread, factors, margin}, ranges null where unknown; without_profiler_ns,
/// expected_without_profiler_ns, saving_without_profiler_percent {low, expected, high} (null: not requested),
/// communication_percent, notes: [text], changes: [{name, count}], profiler_call_cost_ns {low, expected,
/// high}, changed, edits: [{kind, name (null: all), factor (null: none) {low, expected, high}}]}]}. Times are
/// of the mean step, or of the whole time where there are no steps.
Json whatIfJson(const Trace& trace, const std::vector<WhatIfResult>& results);

} // namespace warpline
