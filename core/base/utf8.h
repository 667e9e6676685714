#pragma once

#include <string>
#include <string_view>

namespace warpline {

/// Whether `byte` of UTF-8 goes on with a letter that an earlier byte began.
constexpr bool isWithinLetter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// `bytes` as valid UTF-8: bytes that are not become U+FFFD, NUL too. Reports hold names in any encoding.
std::string toUtf8(std::string_view bytes);

/// `bytes` as text for people: valid UTF-8 in which control characters are written out as JSON writes them,
/// "\u001b", so that a name in a report moves no cursor and changes no terminal. Newlines and tabs stay, and
/// what no page may hold (noncharacters) becomes U+FFFD. A JSON document keeps its meaning.
std::string shownText(std::string_view bytes);

} // namespace warpline
