#pragma once

#include "core/findings/rule.h"

#include <string_view>
#include <vector>

namespace warpline {

/// Says what the saving of each of `findings` is a step, where the program has steady steps and the finding
/// does not say it itself: totals of runs of different length cannot be compared.
void tellPerStep(const RuleContext& context, std::vector<Finding>& findings);

/// What tellLoneRank() says of a finding, behind its message. With the other ranks' reports it no longer
/// holds.
inline constexpr std::string_view loneRankSentence
    = " This is an upper bound: the report is of one rank alone, and where it waits for another one anyway, "
      "less is gained. The other ranks' reports, opened together with it, tell.";

/// Whether tellLoneRank() said it of `finding`, and nothing took it back since.
bool isOfLoneRank(const Finding& finding);
/// What stands beside such a finding where its message does not.
inline constexpr std::string_view loneRankNote = "as one rank alone sees it";

/// Says of what is worth most in a report of one rank of several that its saving is an upper bound: where the
/// rank waits for others anyway, it gains less. O(n log n) in the kernels that communicate. Throws Stopped.
void tellLoneRank(const RuleContext& context, std::vector<Finding>& findings);

} // namespace warpline
