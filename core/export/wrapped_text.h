#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline {

/// `text` in lines of at most `width` characters, each but the first behind `indent` blanks; longer words
/// stay whole. Lines that begin with blanks are code: they keep their form, further in.
std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent);

/// `text` whose lines have at most `width` characters: longer ones go on in the next line, further in than
/// they began. Shorter lines stay as they are, and longer words stay whole.
std::string fittedText(std::string_view text, std::size_t width);

} // namespace warpline
