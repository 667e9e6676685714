#include "core/base/letter_case.h"

#include "core/base/ascii_case.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace warpline {

namespace {

/// Capitals from `first` to `last`: each is `distance` before its small letter. With `isInTurn` capitals and
/// small letters take turns, and the first is a capital.
struct Capitals {
    std::uint16_t first;
    std::uint16_t last;
    std::int16_t distance;
    bool isInTurn = false;
};

// Simple case folding of Unicode (CaseFolding.txt, status C and S) of letters in use.
constexpr std::array capitals{Capitals{0xC0, 0xD6, 32}, Capitals{0xD8, 0xDE, 32},
    Capitals{0x100, 0x12F, 1, true}, Capitals{0x132, 0x137, 1, true}, Capitals{0x139, 0x148, 1, true},
    Capitals{0x14A, 0x177, 1, true}, Capitals{0x178, 0x178, -121}, Capitals{0x179, 0x17E, 1, true},
    Capitals{0x1A0, 0x1A5, 1, true}, Capitals{0x1AF, 0x1AF, 1}, Capitals{0x1CD, 0x1DC, 1, true},
    Capitals{0x1DE, 0x1EF, 1, true}, Capitals{0x1F8, 0x21F, 1, true}, Capitals{0x222, 0x233, 1, true},
    Capitals{0x386, 0x386, 38}, Capitals{0x388, 0x38A, 37}, Capitals{0x38C, 0x38C, 64},
    Capitals{0x38E, 0x38F, 63}, Capitals{0x391, 0x3A1, 32}, Capitals{0x3A3, 0x3AB, 32},
    Capitals{0x3C2, 0x3C2, 1}, Capitals{0x400, 0x40F, 80}, Capitals{0x410, 0x42F, 32},
    Capitals{0x460, 0x481, 1, true}, Capitals{0x48A, 0x4BF, 1, true}, Capitals{0x4C0, 0x4C0, 15},
    Capitals{0x4C1, 0x4CE, 1, true}, Capitals{0x4D0, 0x52F, 1, true}, Capitals{0x531, 0x556, 48},
    Capitals{0x1E00, 0x1E95, 1, true}, Capitals{0x1EA0, 0x1EFF, 1, true}, Capitals{0xFF21, 0xFF3A, 32}};

std::uint32_t smallOf(std::uint32_t letter)
{
    const auto found
        = std::ranges::find_if(capitals, [letter](const Capitals& each) { return letter <= each.last; });
    if (found == capitals.end() || letter < found->first)
        return letter;
    if (found->isInTurn && (letter - found->first) % 2 == 1)
        return letter;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(letter) + found->distance);
}

std::uint32_t bits(char c, unsigned mask)
{
    return static_cast<unsigned char>(c) & mask;
}

} // namespace

std::string foldedCase(std::string_view text)
{
    std::string folded = lowered(text);
    for (std::size_t i = 0; i < folded.size(); ++i) {
        const auto byte = static_cast<unsigned char>(folded[i]);
        if (byte >= 0xC3 && byte <= 0xD5 && i + 1 < folded.size() && isWithinLetter(folded[i + 1])) {
            const std::uint32_t small = smallOf((bits(folded[i], 0x1F) << 6U) | bits(folded[i + 1], 0x3F));
            folded[i] = static_cast<char>(0xC0U | (small >> 6U));
            folded[i + 1] = static_cast<char>(0x80U | (small & 0x3FU));
        } else if ((byte == 0xE1 || byte == 0xEF) && i + 2 < folded.size() && isWithinLetter(folded[i + 1])
            && isWithinLetter(folded[i + 2])) {
            const std::uint32_t small = smallOf((bits(folded[i], 0x0F) << 12U)
                | (bits(folded[i + 1], 0x3F) << 6U) | bits(folded[i + 2], 0x3F));
            folded[i + 1] = static_cast<char>(0x80U | ((small >> 6U) & 0x3FU));
            folded[i + 2] = static_cast<char>(0x80U | (small & 0x3FU));
        }
    }
    return folded;
}

} // namespace warpline
