#pragma once

#include <string>
#include <string_view>

namespace warpline {

// ASCII case folding, independent of the locale: compares keywords, units and names of reports. Bytes of
// other letters stay as they are.

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
