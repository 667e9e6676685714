#pragma once

#include "core/store/event_kind.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace warpline {

/// The unit of a column. Cells hold plain numbers; views and CSV format by unit, so a table never builds a
/// display string of its own.
enum class Unit : std::uint8_t {
    Text,
    Count,
    Integer, ///< an id: no thousands separators
    Nanoseconds, ///< whole
    NanosecondsReal, ///< mean, median, deviation: one decimal, as nsys prints them
    Percent, ///< 0..100, one decimal
    Bytes,
    Megabytes, ///< 10^6 bytes, three decimals
    Real, ///< one decimal
};

struct Column {
    std::string title; ///< as nsys prints it: "Total Time (ns)"
    Unit unit = Unit::Text;
};

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// Rows of cells, as many per row as there are columns, and for each row the events behind it.
class Cells {
public:
    std::vector<Column> columns;

    void addRow(std::vector<Cell> row, std::vector<EventRef> events = {});
    std::size_t rowCount() const { return columns.empty() ? 0 : m_cells.size() / columns.size(); }
    const Cell& at(std::size_t row, std::size_t column) const
    {
        return m_cells[row * columns.size() + column];
    }
    std::span<const Cell> row(std::size_t row) const
    {
        return std::span(m_cells).subspan(row * columns.size(), columns.size());
    }
    /// The events row `row` was made from, for highlighting and stepping; may be empty.
    const std::vector<EventRef>& events(std::size_t row) const { return m_events[row]; }
    /// Orders rows (and their events) by `order`, a permutation of them.
    void reorder(std::span<const std::uint32_t> order);

private:
    std::vector<Cell> m_cells;
    std::vector<std::vector<EventRef>> m_events;
};

} // namespace warpline
