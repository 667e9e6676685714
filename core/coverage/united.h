#pragma once

#include "core/coverage/intervals.h"

namespace warpline {

/// The time covered by either. O(n + m).
Intervals united(const Intervals& a, const Intervals& b);

} // namespace warpline
