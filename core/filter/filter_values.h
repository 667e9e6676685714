#pragma once

#include "core/filter/filter_expression.h"

#include <string>
#include <string_view>

namespace warpline {

/// Parses the text of `value` as a value of the field of `term` and sets its numbers. Returns an empty
/// message on success, else a sentence with what is expected.
Message understandValue(const FilterTerm& term, FilterValue& value);

/// The sentence on a value that is neither a time nor a range of times.
Message timeExpected();
/// The sentence on a range of times whose first is the longer one.
Message shorterTimeFirst();

/// Whether values of `term`'s field are ordered.
bool hasOrder(const FilterTerm& term);
/// Whether the field supports `~`: it is, or may be, a text.
bool canHold(const FilterTerm& term);
/// Whether the field accepts several values, separated by commas.
bool takesLists(const FilterTerm& term);

/// `text` quoted for a filter: the result matches `text` and no other, whatever it contains.
std::string quotedValue(std::string_view text);
/// The FilterValue::glob of a text without quotes: its * and ? are wildcards, its backslashes are letters.
std::string globOfWord(std::string_view text);
/// A FilterValue::glob quoted for a filter: its wildcards stay wildcards.
std::string quotedGlob(std::string_view glob);

} // namespace warpline
