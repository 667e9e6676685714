#pragma once

#include "core/filter/enclosing_ranges.h"
#include "core/filter/filter_expression.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

/// Of each path of `ranges` whether it is what `term` asks for: 1 or 0. With = the path has the names of the
/// value as neighbours, anywhere; after a first slash, from the outermost range on. * and ? stand for parts
/// of one name, ** for any number of names. With ~ the whole path as text is searched. The empty path is
/// never asked for. `exhausted` is set when a regular expression took too long. Throws Stopped.
std::vector<std::uint8_t> pathsThat(const Trace& trace, const EnclosingRanges& ranges, const FilterTerm& term,
    const std::stop_token& stop, bool& exhausted);

} // namespace warpline
