#pragma once

#include <cstdint>
#include <string>

namespace warpline {

/// Whether `unit` is the first of the two UTF-16 units that make one character beyond 0xFFFF.
constexpr bool isHighSurrogate(std::uint32_t unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}
/// The character that a high and a low surrogate make.
constexpr std::uint32_t joinedSurrogates(std::uint32_t high, std::uint32_t low)
{
    return 0x10000 + ((high & 0x3FFU) << 10U) + (low & 0x3FFU);
}

/// Appends the character `code` to `text` as UTF-8.
void appendUtf8(std::uint32_t code, std::string& text);

} // namespace warpline
