#include "core/base/both_ends.h"

#include "core/base/utf8.h"

#include <ranges>

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

bool putBefore(std::string& path, std::string_view outer, std::string_view separator)
{
    const bool hasRoom = path.empty() || path.size() + separator.size() + outer.size() <= longestShown;
    const std::string_view put = hasRoom ? outer : std::string_view("\u2026");
    path = path.empty() ? std::string(put) : std::string(put).append(separator).append(path);
    return hasRoom;
}

bool NestedNames::add(std::string_view outer)
{
    m_isCut = m_bytes > longestShown;
    if (m_isCut)
        return false;
    m_names.push_back(outer);
    m_bytes += outer.size() + 1;
    return true;
}

std::string NestedNames::text() const
{
    std::string text = m_isCut ? "\u2026" : "";
    for (const std::string_view name : m_names | std::views::reverse)
        text.append(text.empty() ? "" : "/").append(name);
    return bothEnds(text, longestShown);
}

} // namespace warpline
