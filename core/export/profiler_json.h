#pragma once

#include "core/export/json_text.h"
#include "core/replay/what_if.h"

namespace warpline {

/// {call_cost_ns {low, expected, high}, step_ns, without_profiler_ns {low, expected, high}}: what recording
/// costs a call that starts work, the mean replayed step, and the same without the profiler. Null: `replay`
/// is nullptr.
Json profilerJson(const Replay* replay);

} // namespace warpline
