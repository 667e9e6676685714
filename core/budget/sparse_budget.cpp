#include "core/budget/sparse_budget.h"

#include <algorithm>

namespace warpline {

SparseBudget::SparseBudget(const Budget& budget)
    : m_size(static_cast<std::uint32_t>(budget.size()))
{
    m_parts.reserve(budget.size() - static_cast<std::size_t>(std::ranges::count(budget, 0)));
    for (std::uint32_t part = 0; part < m_size; ++part) {
        if (budget[part] != 0)
            m_parts.push_back({budget[part], part});
    }
}

Ns SparseBudget::operator[](std::size_t part) const
{
    const auto found = std::ranges::find(m_parts, part, &Part::part);
    return found == m_parts.end() ? 0 : found->time;
}

void SparseBudget::addTo(Budget& sums) const
{
    for (const Part& each : m_parts)
        sums[each.part] += each.time;
}

Budget SparseBudget::whole() const
{
    Budget budget(m_size, 0);
    addTo(budget);
    return budget;
}

} // namespace warpline
