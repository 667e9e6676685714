#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// Whether `byte` is a continuation byte of UTF-8.
constexpr bool isWithinLetter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// `bytes` as valid UTF-8: invalid bytes and NUL become U+FFFD. Reports hold names in any encoding.
std::string toUtf8(std::string_view bytes);

/// `bytes` as text for people: valid UTF-8 with control characters escaped as in JSON, "\u001b", so that a
/// name in a report cannot control a terminal, nor reorder the text around it. Newlines and tabs stay;
/// noncharacters become U+FFFD. A JSON document keeps its meaning.
std::string shownText(std::string_view bytes);

/// `text` with a blank for each break of a line and each tab: a name in a report must not begin a line of its
/// own.
std::string onOneLine(std::string_view text);

} // namespace warpline
