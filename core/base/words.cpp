#include "core/base/words.h"

#include <algorithm>

namespace warpline {

bool containsWord(std::string_view text, std::string_view part)
{
    const auto found = std::ranges::search(text, part,
        [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
    return !found.empty();
}

} // namespace warpline
