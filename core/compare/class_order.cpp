#include "core/compare/kernel_match.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

/// Table of the lengths of the longest common subsequences of the suffixes.
class Lengths {
public:
    Lengths(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b)
        : m_width(b.size() + 1),
          m_cells((a.size() + 1) * m_width, 0)
    {
        for (std::size_t i = a.size(); i-- > 0;) {
            for (std::size_t j = b.size(); j-- > 0;)
                m_cells[i * m_width + j] = a[i] == b[j] ? static_cast<std::uint16_t>(at(i + 1, j + 1) + 1)
                                                        : std::max(at(i + 1, j), at(i, j + 1));
        }
    }
    std::uint16_t at(std::size_t i, std::size_t j) const { return m_cells[i * m_width + j]; }

private:
    std::size_t m_width;
    std::vector<std::uint16_t> m_cells;
};

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> commonOrder(
    std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t mostCells)
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::size_t begin = 0;
    while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) {
        pairs.emplace_back(begin, begin);
        ++begin;
    }
    std::size_t behind = 0;
    while (begin + behind < a.size() && begin + behind < b.size()
        && a[a.size() - 1 - behind] == b[b.size() - 1 - behind])
        ++behind;
    // Limit of 16-bit lengths and of the table; places beyond it have no partner.
    const std::size_t most = std::min<std::size_t>(mostCells, std::numeric_limits<std::uint16_t>::max());
    std::span<const std::uint32_t> middleA = a.subspan(begin, a.size() - begin - behind);
    std::span<const std::uint32_t> middleB = b.subspan(begin, b.size() - begin - behind);
    middleA = middleA.first(std::min(middleA.size(), most));
    middleB = middleB.first(std::min(
        middleB.size(), middleA.empty() ? most : std::max<std::size_t>(1, mostCells / middleA.size())));
    const Lengths lengths(middleA, middleB);
    for (std::size_t i = 0, j = 0; i < middleA.size() && j < middleB.size();) {
        if (middleA[i] == middleB[j])
            pairs.emplace_back(begin + i++, begin + j++);
        else if (lengths.at(i + 1, j) >= lengths.at(i, j + 1))
            ++i;
        else
            ++j;
    }
    for (std::size_t i = behind; i-- > 0;)
        pairs.emplace_back(a.size() - 1 - i, b.size() - 1 - i);
    return pairs;
}

} // namespace warpline
