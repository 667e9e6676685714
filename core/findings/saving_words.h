#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// Sets the saving per step of each of `findings`, where the program has steady steps, because totals of runs
/// of different length are not comparable.
void sharePerStep(const RuleContext& context, std::vector<Finding>& findings);

/// Marks the largest findings in a report of one rank of several as ofLoneRank: the saving is an upper bound,
/// because the gain is smaller where the rank waits for others anyway. O(n log n) in the kernels that
/// communicate. Throws Stopped.
void tellLoneRank(const RuleContext& context, std::vector<Finding>& findings);

} // namespace warpline
