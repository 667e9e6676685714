#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

struct RuleContext;

/// Merges findings of several processes with the same rule and subject: the largest represents all, with all
/// of them, including itself, in `merged`. Its saving is the largest's, because the processes wait at the
/// same time. For waits in MPI the title names the rank that they wait for. `findings` are ranked and stay
/// so.
std::vector<Finding> mergeByProcess(const RuleContext& context, std::vector<Finding> findings);

} // namespace warpline
