#include "core/base/words.h"

#include "core/base/ascii_case.h"

#include <algorithm>

namespace warpline {

bool containsWord(std::string_view text, std::string_view part)
{
    const auto found = std::ranges::search(text, part, [](char a, char b) { return lowerOf(a) == b; });
    return !found.empty();
}

} // namespace warpline
