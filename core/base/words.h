#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline {

/// True when `text` contains `part`, letters of ASCII without regard to case; `part` is in lower case. An
/// empty one is found nowhere.
bool containsWord(std::string_view text, std::string_view part);

/// A bit for each two neighbouring letters, 64 of them for all. Text that contains `part` has all bits of
/// `part`, so most words of a long list need not be looked for.
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
