#pragma once

#include "core/findings/rule.h"

#include <string>
#include <vector>

namespace warpline {

/// Sets Finding::expected of those of `findings` that have a cure, by replaying some of the steady steps:
/// the length of a report does not matter. A bound that an expectation exceeds is raised to its upper end; a
/// finding that is expected to save much less than its bound ranks by that. Throws Stopped.
void expectSavings(const RuleContext& context, std::vector<Finding>& findings);

/// Cuts what `finding` is expected to save at its bound, and what it saves without the profiler by the same
/// part.
void boundExpected(Finding& finding);

/// "about 120 ms (90 to 140 ms)"; empty: no expectation is shown.
Message expectedText(const Finding& finding);

} // namespace warpline
