#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpline {

/// The columns of a terminal that valid UTF-8 takes: two for a letter of Chinese, Japanese or Korean and for
/// emoji, none for marks that combine.
std::size_t columnsOf(std::string_view text);
/// The first letter of `text` with its columns.
struct Letter {
    std::string_view bytes;
    std::size_t columns = 0;
};
Letter firstLetterOf(std::string_view text);

/// `text` in lines of at most `width` characters, each but the first behind `indent` blanks; longer words
/// stay whole, but between letters of Chinese, which has no blanks, a line may end. Lines that begin with
/// blanks are code: they keep their form, further in.
std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent);

/// `text` whose lines have at most `width` characters: longer ones go on in the next line, further in than
/// they began. Shorter lines stay as they are, and longer words stay whole.
std::string fittedText(std::string_view text, std::size_t width);

} // namespace warpline
