#pragma once

#include "core/compare/comparison.h"

#include <vector>

namespace warpline {

/// Sets the verdict of `comparison` with its reasons, sentence and story, from everything else in it. B is
/// faster or slower when the median or the mean step differs by more than the noise; the value that changed
/// more decides. Two single measurements have no known noise: the verdict is unknown, unless they are equal.
/// Chosen ranges have no verdict, whatever their lengths, unless both sides are the same range of one
/// recording.
void judge(Comparison& comparison);

/// The sentence of a judged `comparison`, with the finding that explains most where findings are known.
Message sentenceOf(const Comparison& comparison);

/// Sentences that follow the verdict of a judged `comparison`: the two lengths and their noise, the
/// development of the steps, caveats and hints. Of what changed, which the budget shows, only the finding
/// that explains most.
Message verdictDetails(const Comparison& comparison);

/// The least share of the longer step that is worth a sentence.
inline constexpr double minChange = 0.01;

/// Sentences on what changed in the program: kernels that replace others, calls made more or less often,
/// copies from other memory, ranges on the host, streams. Leaves out changes below a hundredth of a step.
std::vector<Message> storyOf(const Comparison& comparison);

} // namespace warpline
