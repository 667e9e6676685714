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

/// Whether names of variables have `c`: letters, digits and '_'.
constexpr bool isIdentifierPart(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || isDigit(c) || c == '_';
}

constexpr char lowerOf(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether `text` in lower case is `lower`.
constexpr bool isLowered(std::string_view text, std::string_view lower)
{
    for (std::size_t i = 0; text.size() == lower.size() && i < text.size(); ++i) {
        if (lowerOf(text[i]) != lower[i])
            return false;
    }
    return text.size() == lower.size();
}

inline std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = lowerOf(c);
    return lower;
}

} // namespace warpline
