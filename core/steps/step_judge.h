#pragma once

#include "core/steps/steps.h"

#include <cstddef>

namespace warpline {

/// Finds warm-up, medians, groups and typical times of `series` from its `events` and `ranges`, as findSteps()
/// does. The first `warmUps` steps are warm-up in any case.
void judgeSteps(const Trace& trace, StepSeries& series, std::size_t warmUps);

} // namespace warpline
