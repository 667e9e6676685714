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
    std::string text; ///< replaces the typed text: "stream=", "memcpy", "\"a name\""
    Message help; ///< a description; may be empty
};

/// Completions, the likeliest first.
struct FilterChoices {
    std::size_t begin = 0; ///< the choice replaces the text from this byte on
    std::vector<FilterChoice> choices;
};

/// Completions at byte `cursor` of `text`: fields and keywords; after a field its operators; after an
/// operator values from `trace` (streams, domains, names ...) that begin with or contain the typed text. At
/// most maxFilterChoices. Searches names in the first 100,000 events of each kind.
FilterChoices filterChoicesAt(const Trace& trace, std::string_view text, std::size_t cursor);
inline constexpr std::size_t maxFilterChoices = 40;

} // namespace warpline
