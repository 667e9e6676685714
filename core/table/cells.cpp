#include "core/table/cells.h"

#include <cassert>
#include <iterator>
#include <utility>

namespace warpline {

void Cells::addRow(std::vector<Cell> row, std::span<const EventRef> events)
{
    assert(row.size() == columns.size());
    m_cells.insert(m_cells.end(), std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
    m_events.insert(m_events.end(), events.begin(), events.end());
    m_eventsEnd.push_back(m_events.size());
}

std::size_t Cells::rowCount() const
{
    return m_source.cells ? m_source.count : m_eventsEnd.size();
}

Cell Cells::at(std::size_t row, std::size_t column) const
{
    return m_source.cells ? std::move(m_source.cells(row)[column]) : m_cells[row * columns.size() + column];
}

std::vector<Cell> Cells::row(std::size_t row) const
{
    if (m_source.cells)
        return m_source.cells(row);
    const auto first = m_cells.begin() + static_cast<std::ptrdiff_t>(row * columns.size());
    return {first, first + static_cast<std::ptrdiff_t>(columns.size())};
}

Cells Cells::part(std::size_t first, std::size_t last) const
{
    Cells rows;
    rows.columns = columns;
    for (std::size_t i = first; i < last; ++i)
        rows.addRow(row(i));
    return rows;
}

std::vector<EventRef> Cells::events(std::size_t row) const
{
    if (m_source.cells)
        return {m_source.event(row)};
    const std::size_t first = row == 0 ? 0 : m_eventsEnd[row - 1];
    return {m_events.begin() + static_cast<std::ptrdiff_t>(first),
        m_events.begin() + static_cast<std::ptrdiff_t>(m_eventsEnd[row])};
}

} // namespace warpline
