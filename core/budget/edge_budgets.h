#pragma once

#include "core/base/message.h"
#include "core/budget/step_budgets.h"

namespace warpline {

/// What the first and the last step of `steps` do otherwise than the others, where they are clearly shorter
/// or longer, see edgeSteps(): "The last step (step_8) takes 25.71 ms on the host, 0.72 x the usual, ...":
/// how much work they do, what of their time is less or more, and where they count. Sentences; empty: neither
/// is, or the one that is counts as an outlier, which is told by itself.
Message edgeSentences(const Trace& trace, const BudgetParts& parts, const StepBudgets& steps);

} // namespace warpline
