#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Something that may stand at a place of a filter.
struct FilterChoice {
    std::string text; ///< to be written instead of what is typed: "stream=", "memcpy", "\"a name\""
    Message help; ///< what it is; may be empty
};

/// What may stand where somebody types, the likeliest first.
struct FilterChoices {
    std::size_t begin = 0; ///< the byte from which on the choice replaces what is typed
    std::vector<FilterChoice> choices;
};

/// What may stand at byte `cursor` of `text`: fields and words, after a field its operators, after an
/// operator values that `trace` has: streams, domains, names ... that begin with or hold what is typed. At
/// most maxFilterChoices. Names are looked for among the first 100,000 events of each kind.
FilterChoices filterChoicesAt(const Trace& trace, std::string_view text, std::size_t cursor);
inline constexpr std::size_t maxFilterChoices = 40;

} // namespace warpline
