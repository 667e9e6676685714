#include "core/store/duration_column.h"

namespace warpline {

DurationColumn::DurationColumn(DurationParts parts)
    : m_short(std::move(parts.cells))
{
    for (std::size_t i = 0; i < parts.rows.size(); ++i)
        m_long.emplace(parts.rows[i], parts.lengths[i]);
}

DurationParts DurationColumn::longParts() const
{
    DurationParts parts;
    for (const auto& [row, length] : m_long) {
        parts.rows.push_back(row);
        parts.lengths.push_back(length);
    }
    return parts;
}

DurationParts DurationColumn::take()
{
    DurationParts parts = longParts();
    parts.cells = std::move(m_short);
    *this = {};
    return parts;
}

void DurationColumn::push_back(Ns duration)
{
    if (duration < Ns{escape}) {
        m_short.push_back(static_cast<std::uint32_t>(duration));
        return;
    }
    m_long.emplace(m_short.size(), duration);
    m_short.push_back(escape);
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
