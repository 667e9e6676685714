#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

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

/// Cuts the text before the first of the characters `ends` off `text`, with that character.
std::string_view takeUpTo(std::string_view& text, std::string_view ends);
/// Cuts the first word off `text`, and the blanks around both.
std::string_view takeWord(std::string_view& text);

/// The whole number that `text` is; nothing: it is none, or does not fit.
template <std::integral Number> std::optional<Number> wholeNumber(std::string_view text)
{
    Number number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

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
