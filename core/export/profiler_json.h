#pragma once

#include "core/export/json_text.h"
#include "core/replay/cure.h"

#include <optional>

namespace warpline {

/// {call_cost_ns {low, expected, high}, step_ns, without_profiler_ns {low, expected, high}}: the recording
/// overhead per call that starts work, the mean replayed step, and the same without the profiler. Null: no
/// replay.
Json profilerJson(const std::optional<ProfiledStep>& profiled);

} // namespace warpline
