#include "core/base/words.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <cstddef>

namespace warpline {

bool containsWord(std::string_view text, std::string_view part)
{
    if (part.empty() || text.size() < part.size())
        return false;
    // Written out for speed: called thirty times for each name of a report.
    const char first = part.front();
    const char upper = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    const std::size_t places = text.size() - part.size() + 1;
    for (std::size_t at = 0; at < places; ++at) {
        if (text[at] != first && text[at] != upper)
            continue;
        std::size_t same = 1;
        while (same < part.size() && lowerOf(text[at + same]) == part[same])
            ++same;
        if (same == part.size())
            return true;
    }
    return false;
}

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool containsAny(std::string_view text, std::span<const std::string_view> parts)
{
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

std::string_view textBehind(std::string_view text, std::string_view key)
{
    const std::size_t at = text.find(key);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

std::string_view takeUpTo(std::string_view& text, std::string_view ends)
{
    const std::size_t at = std::min(text.find_first_of(ends), text.size());
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return taken;
}

std::string_view takeWord(std::string_view& text)
{
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

} // namespace warpline
