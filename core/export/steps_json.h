#pragma once

#include "core/export/json_text.h"
#include "core/steps/steps.h"

#include <cstdint>
#include <map>

namespace warpline {

/// What was taken as the steps of each process: an array of {pid, tid, pattern, glob, count, warm_up,
/// median_ns, series: [{kind, requests (null: not known), count, median_ns}]}.
Json stepsJson(const std::map<std::uint32_t, StepSeries>& steps);

} // namespace warpline
