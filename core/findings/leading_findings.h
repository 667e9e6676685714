#pragma once

#include "core/findings/rule.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// A saving is worth being read first from this share of what was recorded; savings of programs with steps
/// count by their steps, which a longer run has more of.
inline constexpr double worthFirst = 0.02;

/// What to read first of `findings`, as runRules() ranks them: at most `count` of them. Where none could save
/// worthFirst of `window`, or the host works alone for half of it and no finding could save a tenth, that
/// work of the host comes first, if it is a finding.
std::vector<const Finding*> leadingFindings(
    std::span<const Finding> findings, TimeRange window, std::size_t count);

/// True when none of `findings` could save worthFirst of `window`.
bool isNothingLarge(std::span<const Finding> findings, TimeRange window);

} // namespace warpline
