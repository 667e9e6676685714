#pragma once

#include "core/filter/filter_expression.h"

#include <string>
#include <string_view>

namespace warpline {

/// Reads `text` as the field of `term` has its values: fills the numbers of `value`. Empty when it is such a
/// value, else a sentence that says what is expected.
Message understandValue(const FilterTerm& term, std::string_view text, FilterValue& value);

/// Whether values of `term`'s field can be larger or smaller than one another.
bool hasOrder(const FilterTerm& term);
/// Whether `~` can be asked of the field: whether it is, or may be, a text.
bool canHold(const FilterTerm& term);
/// Whether several values may be given with commas between them.
bool takesLists(const FilterTerm& term);

/// `text` as a filter has it in quotes: reading that as a value gives `text` again, whatever it holds.
std::string quotedValue(std::string_view text);

} // namespace warpline
