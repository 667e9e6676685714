#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

struct RuleContext;

/// Makes findings of several processes of one rule and subject one: the worst of them speaks for all,
/// with all of them in `merged`, its own among them. What it could save is what the worst could, since the
/// processes wait at the same time. Where ranks wait in MPI, the title says for which of them. `findings`
/// come ranked and stay so.
std::vector<Finding> mergeByProcess(const RuleContext& context, std::vector<Finding> findings);

} // namespace warpline
