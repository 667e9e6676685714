#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace warpline {

/// True when `text` contains `part` without regard to ASCII case; `part` is in lower case. An empty `part` is
/// never found.
bool containsWord(std::string_view text, std::string_view part);

/// `text` without the `blanks` at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r");
/// Whether `text` contains one of `parts`.
bool containsAny(std::string_view text, std::span<const std::string_view> parts);
/// The text after the first `key` in `text`; empty: there is none.
std::string_view textBehind(std::string_view text, std::string_view key);

/// A filter of 64 bits with a bit for each pair of neighbouring letters. A text that contains `part` has all
/// bits of `part`, so most words of a long list need no search.
constexpr std::uint64_t pairsOf(std::string_view text)
{
    std::uint64_t pairs = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        const std::uint32_t pair
            = static_cast<unsigned char>(text[i - 1]) * 256U + static_cast<unsigned char>(text[i]);
        pairs |= std::uint64_t{1} << (pair * 0x9E3779B1U >> 26U);
    }
    return pairs;
}

} // namespace warpline
