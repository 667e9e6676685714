#include "core/store/duration_column.h"

namespace warpline {

void DurationColumn::push_back(Ns duration)
{
    if (duration < Ns{escape}) {
        m_short.push_back(static_cast<std::uint32_t>(duration));
        return;
    }
    m_long.emplace(m_short.size(), duration);
    m_short.push_back(escape);
}

void DurationColumn::append(const DurationColumn& other)
{
    const std::size_t shift = m_short.size();
    m_short.insert(m_short.end(), other.m_short.begin(), other.m_short.end());
    for (const auto& [row, duration] : other.m_long)
        m_long.emplace(row + shift, duration);
}

void DurationColumn::permute(std::span<const std::uint32_t> order, std::vector<std::uint32_t>& scratch)
{
    scratch.resize(order.size());
    std::unordered_map<std::size_t, Ns> movedLong;
    for (std::size_t i = 0; i < order.size(); ++i) {
        scratch[i] = m_short[order[i]];
        if (scratch[i] == escape)
            movedLong.emplace(i, m_long.at(order[i]));
    }
    m_short.swap(scratch);
    m_long = std::move(movedLong);
}

void DurationColumn::truncate(std::size_t rows)
{
    if (rows >= m_short.size())
        return;
    m_short.resize(rows);
    std::erase_if(m_long, [rows](const auto& entry) { return entry.first >= rows; });
}

void DurationColumn::trim()
{
    if (m_short.capacity() > m_short.size() + m_short.size() / 8 + 1024)
        m_short.shrink_to_fit();
}

Ns DurationColumn::sum(std::size_t first, std::size_t last) const
{
    // Without a branch in it the loop takes several rows at a time.
    std::uint64_t shortTotal = 0;
    std::uint32_t longRows = 0;
    for (std::size_t i = first; i < last; ++i) {
        shortTotal += m_short[i];
        longRows += m_short[i] == escape ? 1 : 0;
    }
    if (longRows == 0)
        return static_cast<Ns>(shortTotal);
    Ns total = 0;
    for (std::size_t i = first; i < last; ++i)
        total += (*this)[i];
    return total;
}

std::size_t DurationColumn::bytes() const
{
    return m_short.capacity() * sizeof(std::uint32_t) + m_long.size() * 48;
}

} // namespace warpline
