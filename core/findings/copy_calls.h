#pragma once

#include "core/base/time.h"

namespace warpline {

/// The fixed time of a copy call before and after its copy (ns), however few bytes it has: besideKernels()
/// counts at most this much.
inline constexpr Ns callMargin = 5'000;

} // namespace warpline
