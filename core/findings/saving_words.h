#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// Says what the saving of each of `findings` is a step, where the program has steady steps and the finding
/// does not say it itself: totals of runs of different length cannot be compared.
void tellPerStep(const RuleContext& context, std::vector<Finding>& findings);

/// Marks what is worth most in a report of one rank of several as ofLoneRank: its saving is an upper bound,
/// for where the rank waits for others anyway, it gains less. O(n log n) in the kernels that communicate.
/// Throws Stopped.
void tellLoneRank(const RuleContext& context, std::vector<Finding>& findings);

} // namespace warpline
