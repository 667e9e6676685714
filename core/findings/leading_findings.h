#pragma once

#include "core/findings/rule.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpline {

/// A saving is worth being read first from this share of what was recorded; savings of programs with steps
/// count by their steps, which a longer run has more of.
inline constexpr double worthFirst = 0.02;

/// What to read first of `findings`, as runRules() ranks them: at most `count` of them. That the problem is
/// too small for its GPU comes before all else. Where the host works alone for three tenths of `window` and
/// none could save worthFirst of it, or for half of it and none a tenth, that work of the host comes next;
/// then what saves ten times as much as all that is sure, though in doubt. What saves next to nothing beside
/// the largest is left out.
std::vector<const Finding*> leadingFindings(
    std::span<const Finding> findings, TimeRange window, std::size_t count);

/// True when none of `findings` could save worthFirst of `window`.
bool isNothingLarge(std::span<const Finding> findings, TimeRange window);

} // namespace warpline
