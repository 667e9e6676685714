#pragma once

#include "core/findings/rule.h"

#include <string>
#include <vector>

namespace warpline {

struct RuleContext;

/// What a finding says but for its figures: "GPU # idle for # while ..." of "GPU 0 idle for 95.37 ms while
/// ...". Numbers and the units behind them make no difference.
std::string withoutFigures(std::string_view title);

/// Makes findings of several processes that are alike (Finding::alike) one: the worst of them speaks for all,
/// with all of them in `merged`, its own among them. What it could save is what the worst could, since the
/// processes wait at the same time. Where ranks wait in MPI, the title says for which of them. `findings`
/// come ranked and stay so.
std::vector<Finding> mergeByProcess(const RuleContext& context, std::vector<Finding> findings);

} // namespace warpline
