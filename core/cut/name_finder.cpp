#include "core/cut/name_finder.h"

#include <algorithm>
#include <span>

namespace warpline {

NameFinder::NameFinder(const std::set<std::string>& names)
    : m_nodes(1)
{
    const std::vector<std::string_view> sorted(names.begin(), names.end());
    struct Origin {
        std::size_t first; // the names that begin with the node's text
        std::size_t last;
        std::uint32_t length;
        std::uint32_t parent;
    };
    std::vector<Origin> origins{{0, sorted.size(), 0, 0}};
    for (std::uint32_t node = 0; node < m_nodes.size(); ++node) {
        const Origin origin = origins[node];
        const Node made = m_nodes[node];
        if (origin.length > 1)
            m_nodes[node].shorter = next(m_nodes[origin.parent].shorter, made.letter);
        std::size_t first = origin.first;
        const bool isName = first < origin.last && sorted[first].size() == origin.length;
        m_nodes[node].found = isName ? origin.length : m_nodes[m_nodes[node].shorter].found;
        first += isName ? 1 : 0;
        m_nodes[node].firstChild = static_cast<std::uint32_t>(m_nodes.size());
        while (first < origin.last) {
            const char letter = sorted[first][origin.length];
            std::size_t last = first;
            while (last < origin.last && sorted[last][origin.length] == letter)
                ++last;
            m_nodes.push_back({0, 0, 0, 0, letter});
            origins.push_back({first, last, origin.length + 1, node});
            first = last;
        }
        m_nodes[node].children = static_cast<std::uint32_t>(m_nodes.size()) - m_nodes[node].firstChild;
    }
}

std::uint32_t NameFinder::childOf(std::uint32_t node, char letter) const
{
    const auto children = std::span(m_nodes).subspan(m_nodes[node].firstChild, m_nodes[node].children);
    const auto byteOf = [](const Node& each) { return static_cast<unsigned char>(each.letter); };
    const auto found = std::ranges::lower_bound(children, static_cast<unsigned char>(letter), {}, byteOf);
    return found != children.end() && found->letter == letter
        ? m_nodes[node].firstChild + static_cast<std::uint32_t>(found - children.begin())
        : 0;
}

std::uint32_t NameFinder::next(std::uint32_t node, char letter) const
{
    std::uint32_t child = childOf(node, letter);
    while (child == 0 && node != 0) {
        node = m_nodes[node].shorter;
        child = childOf(node, letter);
    }
    return child;
}

std::string NameFinder::replaced(std::string_view text, std::string_view substitute) const
{
    struct Place {
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Place> places;
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        node = next(node, text[i]);
        if (m_nodes[node].found == 0)
            continue;
        std::size_t begin = i + 1 - m_nodes[node].found;
        for (; !places.empty() && places.back().end > begin; places.pop_back())
            begin = std::min(begin, places.back().begin);
        places.push_back({begin, i + 1});
    }
    std::string result;
    std::size_t copied = 0;
    for (const Place& place : places) {
        result += text.substr(copied, place.begin - copied);
        result += substitute;
        copied = place.end;
    }
    return result += text.substr(copied);
}

} // namespace warpline
