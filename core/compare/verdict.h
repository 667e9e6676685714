#pragma once

#include "core/compare/comparison.h"

namespace warpline {

/// Decides `comparison` and says so: its reasons, verdict, sentence and story, from everything else in it.
/// Faster or slower is what lies beyond the noise. Of two single measurements nothing tells the noise: they
/// are unknown, unless they are equal.
void judge(Comparison& comparison);

} // namespace warpline
