#pragma once

#include "core/base/message.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace warpline {

/// The unit of a column. Cells hold plain numbers; views and CSV format them by unit, so a table never makes
/// display strings.
enum class Unit : std::uint8_t {
    Text,
    Count,
    Integer, ///< an id: no thousands separators
    Nanoseconds, ///< whole
    NanosecondsReal, ///< mean, median, deviation: one decimal, as nsys prints them
    Percent, ///< 0..100, one decimal
    Bytes,
    BytesPerSecond, ///< whole
    Megabytes, ///< 10^6 bytes, three decimals
    Real, ///< one decimal
    Rate, ///< 10^12 per second: four decimals
    AsStored, ///< texts and numbers: the shortest exact form
};

struct Column {
    std::string title; ///< as nsys prints it: "Total Time (ns)"
    Unit unit = Unit::Text;
    /// The shown text for a word of the program in this column; nullptr: the word itself.
    Message (*words)(std::string_view text) = nullptr;
};

using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A number for which 0 and less mean none, such as a stream id: empty for these.
template <typename Number> Cell positiveCell(Number number)
{
    return number > 0 ? Cell(number) : Cell();
}

/// Rows of a table with one per event of very many. A row is made when it is seen or printed, so that ten
/// million rows take no more memory than the functions' captures.
struct RowSource {
    std::size_t count = 0;
    /// The cells of row `row`, one per column. Thread-safe.
    std::function<std::vector<Cell>(std::size_t row)> cells;
    /// The event that row `row` is about.
    std::function<EventRef(std::size_t row)> event;
};

/// Rows of cells, one per column, with the events of each row. Rows are either stored, as in summaries, or
/// made from a RowSource on access.
class Cells {
public:
    std::vector<Column> columns;

    void addRow(std::vector<Cell> row, std::span<const EventRef> events = {});
    /// Makes all rows come from `source`; for a table without stored rows. The source may use the table's
    /// trace, which must outlive it: see keep().
    void setSource(RowSource source) { m_source = std::move(source); }
    /// Keeps `owner`, the trace, for as long as these cells or a copy of them live.
    void keep(std::shared_ptr<const void> owner) { m_owner = std::move(owner); }

    std::size_t rowCount() const;
    Cell at(std::size_t row, std::size_t column) const;
    std::vector<Cell> row(std::size_t row) const;
    /// Rows [first, last) without their events.
    Cells part(std::size_t first, std::size_t last) const;
    /// The events row `row` was made from, for highlighting and stepping; may be empty.
    std::vector<EventRef> events(std::size_t row) const;

private:
    std::vector<Cell> m_cells;
    std::vector<EventRef> m_events; ///< of the held rows, one after another
    std::vector<std::size_t> m_eventsEnd; ///< of each held row
    RowSource m_source;
    std::shared_ptr<const void> m_owner;
};

} // namespace warpline
