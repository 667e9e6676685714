#pragma once

#include "core/filter/filter_expression.h"

#include <string>
#include <string_view>

namespace warpline {

/// Parses `text` as a value of the field of `term` and sets the numbers of `value`. Returns an empty message
/// on success, else a sentence with what is expected.
Message understandValue(const FilterTerm& term, std::string_view text, FilterValue& value);

/// Whether values of `term`'s field are ordered.
bool hasOrder(const FilterTerm& term);
/// Whether the field supports `~`: it is, or may be, a text.
bool canHold(const FilterTerm& term);
/// Whether the field accepts several values, separated by commas.
bool takesLists(const FilterTerm& term);

/// `text` quoted for a filter: reading the result as a value returns `text`, whatever it contains.
std::string quotedValue(std::string_view text);

} // namespace warpline
