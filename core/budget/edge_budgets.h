#pragma once

#include "core/base/message.h"
#include "core/budget/step_budgets.h"

namespace warpline {

/// How the first and the last step of `steps` differ, where they are clearly shorter or longer (see
/// edgeSteps()): "The last step (step_8) takes 25.71 ms on the host, 0.72 x the usual, ...": their work, the
/// parts that differ, and where they count. Empty: neither differs, or it is an outlier, which is reported
/// separately.
Message edgeSentences(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps);

} // namespace warpline
