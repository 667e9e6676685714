#pragma once

#include "core/findings/rule.h"

namespace warpline {

/// The cure of `finding`, which has the claims and evidence that its rule gave it: what the rule's remedy
/// changes in the program, with factors from what the GPU can do. A rule that knows more sets Finding::cure
/// itself. Empty: the rule has none that a replay could tell.
Cure cureFor(const RuleContext& context, const Finding& finding);

} // namespace warpline
