#pragma once

#include "core/base/time.h"

namespace warpline {

/// What a copy call takes before and after its copy, however few bytes that has: as much of it counts in
/// besideKernels().
inline constexpr Ns callMargin = 5'000;

} // namespace warpline
