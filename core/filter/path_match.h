#pragma once

#include "core/filter/enclosing_ranges.h"
#include "core/filter/filter_expression.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

/// For each path of `ranges` whether it matches `term`: 1 or 0. Operator =: the path contains the names of
/// the value as neighbours; with a leading slash, from the outermost range on. * and ? are wildcards within
/// one name, ** for any number of names. Operator ~: searches the path as text. The empty path never matches.
/// Sets `exhausted` when a regular expression took too long. Throws Stopped.
std::vector<std::uint8_t> pathsThat(const Trace& trace, const EnclosingRanges& ranges, const FilterTerm& term,
    const std::stop_token& stop, bool& exhausted);

} // namespace warpline
