#pragma once

#include "core/findings/rule.h"

#include <string>
#include <vector>

namespace warpline {

/// Sets Finding::expected of those of `findings` with a cure, by replaying some of the steady steps, so that
/// the length of a report does not matter. Raises a bound that an estimate exceeds to the estimate's upper
/// end; a finding with a much smaller estimate is ranked by it. Throws Stopped.
void expectSavings(const RuleContext& context, std::vector<Finding>& findings);

/// Caps the expected saving of `finding` at its bound, and the saving without the profiler in proportion.
void boundExpected(Finding& finding);

/// "about 120 ms (90 to 140 ms)"; empty: no expectation is shown.
Message expectedText(const Finding& finding);

} // namespace warpline
