#pragma once

#include "core/findings/rule.h"

#include <vector>

namespace warpline {

/// Makes findings of the same cause one. A finding G goes into `merged` of a finding S when the rule of S
/// absorbs the rule of G (Rule::absorbs), both are about the same GPU and process as far as they say, and
/// - they share a group, or
/// - at least half of the time G claims is time that S, together with other findings that absorb G, claims
/// too; of these
///   the one with the most of it takes G.
/// So a gap that a blocking copy explains is told once, as the copy. `findings` come ranked and stay so.
std::vector<Finding> mergeByCause(std::vector<Finding> findings);

/// Gives each of `findings` at least the bound of what mergeByCause() has merged into it, where that is about
/// the same time and names a cause: the rules of nsys name none. Later than what replays expect, which is
/// held against the bound of the finding's own rule.
void raiseBounds(std::vector<Finding>& findings);

} // namespace warpline
