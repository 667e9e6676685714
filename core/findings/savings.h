#pragma once

#include "core/findings/rule.h"

#include <span>
#include <vector>

namespace warpline {

/// Reduces the saving of `finding` to the measured time (TraceAnalysis::measuredRange()), in proportion to
/// its claims; the rest becomes Finding::once, and the severity follows. Findings without claims are capped
/// at the measured time.
void capSaving(const RuleContext& context, Finding& finding);

/// Explains in Finding::lowered and in the message when a severity is lower than the saving implies.
void explainSeverity(const RuleContext& context, Finding& finding);

/// Sets Finding::added of all. Each moment that several findings claim counts once, for the one with the
/// largest share of saving, uncertain ones last. So the sum is at most the measured time, and at least the
/// largest saving. O(n log n) in the claimed ranges, per finding.
void shareSavings(std::vector<Finding>& findings);

/// The measured time that `findings` are of; those across ranks, which have none, do not count. 0: unknown.
Ns measuredOf(std::span<const Finding> findings);

/// The joint potential saving of `findings`: the sum of Finding::added without uncertain ones.
Ns savingTogether(std::span<const Finding> findings);
/// The additional saving of findings with a lowered rank, see Finding::lowered.
Ns savingInDoubt(std::span<const Finding> findings);

/// The saving of `finding` for a list: "1.2 s", "1.2 s once" for a one-time cost, or nothing.
Message savingText(const Finding& finding);
/// "about 12 ms (at most 20 ms)"; the bound alone where no expectation is shown.
Message expectedSavingText(const Finding& finding);

/// "Potential saving of these together: up to 1.2 s (35% of the 3.4 s measured)...". Empty: there is nothing
/// to save.
Message savingsSentence(std::span<const Finding> findings);

/// Sets the saving per step of each of `findings`, where the program has steady steps, because totals of runs
/// of different length are not comparable.
void sharePerStep(const RuleContext& context, std::vector<Finding>& findings);

/// Marks the largest findings in a report of one rank of several as ofLoneRank: the saving is an upper bound,
/// because the gain is smaller where the rank waits for others anyway. O(n log n) in the kernels that
/// communicate. Throws Stopped.
void tellLoneRank(const RuleContext& context, std::vector<Finding>& findings);

} // namespace warpline
