#include "core/base/both_ends.h"

#include "core/base/utf8.h"

namespace warpline {

std::string bothEnds(std::string_view text, std::size_t most)
{
    constexpr std::string_view ellipsis = "\u2026";
    if (text.size() <= most)
        return std::string(text);
    const std::size_t room = most - ellipsis.size();
    std::size_t left = room / 2;
    while (left > 0 && isWithinLetter(text[left]))
        --left;
    std::size_t right = text.size() - (room - room / 2);
    while (right < text.size() && isWithinLetter(text[right]))
        ++right;
    return std::string(text.substr(0, left)).append(ellipsis).append(text.substr(right));
}

} // namespace warpline
