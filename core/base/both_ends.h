#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// `text`; where it has more than `most` bytes (of UTF-8, at least 4) its two ends with an ellipsis between
/// them: the end of a name tells variants apart. No letter is cut.
std::string bothEnds(std::string_view text, std::size_t most);

/// Bytes of a text of a report that is shown: more than of names that compilers make. A widget or a browser
/// takes a second to lay out a megabyte.
constexpr std::size_t longestShown = 4096;

} // namespace warpline
