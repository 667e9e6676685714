#include "core/table/cells.h"

#include <cassert>
#include <iterator>
#include <utility>

namespace warpline {

void Cells::addRow(std::vector<Cell> row, std::vector<EventRef> events)
{
    assert(row.size() == columns.size());
    m_cells.insert(m_cells.end(), std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
    m_events.push_back(std::move(events));
}

void Cells::reorder(std::span<const std::uint32_t> order)
{
    assert(order.size() == rowCount());
    std::vector<Cell> cells;
    cells.reserve(m_cells.size());
    std::vector<std::vector<EventRef>> events;
    events.reserve(m_events.size());
    for (const std::uint32_t from : order) {
        const auto first = m_cells.begin() + static_cast<std::ptrdiff_t>(from * columns.size());
        std::move(first, first + static_cast<std::ptrdiff_t>(columns.size()), std::back_inserter(cells));
        events.push_back(std::move(m_events[from]));
    }
    m_cells = std::move(cells);
    m_events = std::move(events);
}

} // namespace warpline
