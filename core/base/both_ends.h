#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `text`, or, when it is longer than `most` bytes of UTF-8 (at least 4), its two ends with an ellipsis
/// between them: the end of a name distinguishes variants. No character is cut.
std::string bothEnds(std::string_view text, std::size_t most);

/// Bytes of a report's text that are shown, more than compilers' names have. A widget or a browser takes a
/// second to lay out a megabyte.
constexpr std::size_t longestShown = 4096;

} // namespace warpline
