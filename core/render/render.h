#pragma once

#include "core/base/message.h"
#include "core/render/language.h"

#include <string>
#include <string_view>

namespace warpline {

// Messages become text here and nowhere else.

enum class Markup : std::uint8_t {
    Plain,
    Markdown, ///< GitHub's: running text, see markdownProse()
    Html, ///< between tags; of rich text as well
};

/// `message` in language(), or in `in`. Braces without a value of the message stay as they are.
std::string render(const Message& message, Markup markup = Markup::Plain);
std::string render(const Message& message, Markup markup, const Language& in);

/// The same, in short.
inline std::string plain(const Message& message)
{
    return render(message, Markup::Plain);
}

/// Text of a report for HTML: escaped, with invalid UTF-8 replaced.
std::string htmlText(std::string_view bytes);

/// `text`, sentences in which backticks mark code, as running text of Markdown: outside of code no template
/// argument is taken for HTML and no asterisk for emphasis.
std::string markdownProse(std::string_view text);

/// `text` as a cell of a GitHub Markdown table: valid UTF-8 on one line, with all Markdown escaped: bars,
/// backticks, and template arguments that look like HTML.
std::string markdownCell(std::string_view text);

} // namespace warpline
