#pragma once

#include "core/findings/rule.h"

#include <span>
#include <vector>

namespace warpline {

/// Leaves of what `finding` could save the part that lies in the measured time
/// (TraceAnalysis::measuredRange()), in proportion to its claims; the rest becomes Finding::once, and the
/// severity follows. Findings that claim no time are cut to the measured time alone.
void capSaving(const RuleContext& context, Finding& finding);

/// Says in Finding::lowered and in the message why a severity is below what the saving makes it, where it is.
void explainSeverity(const RuleContext& context, Finding& finding);

/// Sets Finding::added of all. Of time that several findings claim each moment counts once, for the one that
/// could save the largest share of it, those in doubt last: so the sum is at most the measured time, and at
/// least the largest saving. O(n log n) in the claimed stretches, a finding.
void shareSavings(std::vector<Finding>& findings);

/// What `findings` could save together at most: the sum of Finding::added, those in doubt left out.
Ns savingTogether(std::span<const Finding> findings);
/// What the findings that rank lower than their time could save beyond that: Finding::lowered says why they
/// do.
Ns savingInDoubt(std::span<const Finding> findings);

/// "1.2 s", "1.2 s once" for what is paid once, or nothing: the saving of `finding` for a list.
Message savingText(const Finding& finding);
/// "about 12 ms (at most 20 ms)"; the bound alone where no expectation is shown.
Message expectedSavingText(const Finding& finding);

/// "Potential saving of these together: up to 1.2 s (35% of the 3.4 s measured)...". Empty: there is nothing
/// to save.
Message savingsSentence(std::span<const Finding> findings);

} // namespace warpline
