#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// Sets what of the saving of each of `findings` falls to a step, where the program has steady steps: totals
/// of runs of different length cannot be compared.
void sharePerStep(const RuleContext& context, std::vector<Finding>& findings);

/// Marks what is worth most in a report of one rank of several as ofLoneRank: its saving is an upper bound,
/// for where the rank waits for others anyway, it gains less. O(n log n) in the kernels that communicate.
/// Throws Stopped.
void tellLoneRank(const RuleContext& context, std::vector<Finding>& findings);

} // namespace warpline
