#pragma once

#include "core/compare/comparison.h"

#include <vector>

namespace warpline {

/// Decides `comparison` and says so: its reasons, verdict, sentence and story, from everything else in it.
/// Faster or slower is what lies beyond the noise, in the median or the mean step: the figure that changed
/// more decides. Of two single measurements nothing tells the noise: they are unknown, unless they are equal.
void judge(Comparison& comparison);

/// What the sentence of a judged `comparison` says behind its verdict, as sentences: the two lengths and
/// their noise, what the steps do, caveats and hints. Not what changed, which the budget shows.
Message verdictDetails(const Comparison& comparison);

/// The least share of the longer step that is worth a sentence.
inline constexpr double minChange = 0.01;

/// What changed in the program, in sentences: kernels that others took the place of, calls that are made more
/// or less often, copies from other memory, ranges on the host, streams. What changed nothing worth a
/// hundredth of a step is left out.
std::vector<Message> storyOf(const Comparison& comparison);

} // namespace warpline
