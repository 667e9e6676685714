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

/// `text` in lines of at most `width` characters; all but the first are indented by `indent` blanks. Longer
/// words stay whole, except that lines may break between Chinese letters that are in no path. Lines that
/// begin with blanks are code: they keep their form, with the indentation added.
std::string wrappedText(std::string_view text, std::size_t width, std::size_t indent);

/// Wraps lines of `text` that exceed `width` characters, with deeper indentation. Shorter lines and longer
/// words stay as they are, except that lines may break between Chinese letters that are in no path.
std::string fittedText(std::string_view text, std::size_t width);

} // namespace warpline
