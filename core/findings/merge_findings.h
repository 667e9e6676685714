#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// Merges findings of one cause. A finding G goes into `merged` of a finding S when the rule of S absorbs the
/// rule of G (Rule::absorbs), both are about the same GPU and process where they have one, and
/// - they share a group, or
/// - at least half of the time that G claims is also claimed by S and other findings that absorb G; the one
///   with most of it takes G. A range of the program whose bound is higher than that of S stays, unless S,
///   or S and the others, can save nearly all of its time.
/// So a gap that a blocking copy explains appears once, as the copy. `findings` are ranked and stay so.
std::vector<Finding> mergeByCause(std::vector<Finding> findings);

/// Raises the bound of each of `findings` to at least that of its merged findings, where these are about the
/// same time and name a cause, which nsys' rules do not. Call it after the replay, whose estimates are
/// compared with the bound of the finding's own rule.
void raiseBounds(std::vector<Finding>& findings);

/// Merges findings of several processes with the same rule and subject: the largest represents all, with all
/// of them, including itself, in `merged`. Its saving is the largest's, because the processes wait at the
/// same time. For waits in MPI the title names the rank that they wait for. `findings` are ranked and stay
/// so.
std::vector<Finding> mergeByProcess(const RuleContext& context, std::vector<Finding> findings);

} // namespace warpline
