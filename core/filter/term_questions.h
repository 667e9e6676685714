#pragma once

#include "core/filter/event_predicate.h"

#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

/// Compiles the terms of `nodes` into tests of columns, by node; those of nodes that are no terms are empty.
/// Sets `exhausted` when a regular expression took too long. Throws Stopped. Only EventPredicate uses it.
std::vector<EventPredicate::Term> termsOf(
    const Trace& trace, std::span<const FilterNode> nodes, const std::stop_token& stop, bool& exhausted);

} // namespace warpline
