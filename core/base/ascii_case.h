#pragma once

#include <string>
#include <string_view>

namespace warpline {

// Letters of ASCII without regard to case: what keywords, units and names of reports are compared by. Bytes
// of other letters stay as they are, and digits are those of ASCII, whatever the locale.

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr char lowerOf(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = lowerOf(c);
    return lower;
}

} // namespace warpline
