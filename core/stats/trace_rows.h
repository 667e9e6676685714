#pragma once

#include "core/stats/stats_table.h"

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// The events of `kinds` for `query`, by start; ties by the order of `kinds`, then by the report's order.
/// Throws Stopped when a stop is requested. Eight bytes per event; O(n log lanes).
std::vector<EventRef> eventsByStart(
    const Trace& trace, std::span<const EventKind> kinds, const StatsQuery& query);

/// A table of `rows`, in their order, with cells that cellsOf(row) makes when they are wanted. `Row` is an
/// EventRef, or has `event()`, the EventRef it is about.
template <typename Row>
Cells heldRows(
    std::vector<Column> columns, std::vector<Row> rows, std::function<std::vector<Cell>(const Row&)> cellsOf)
{
    static_assert(sizeof(Row) <= 16, "a table of ten million rows is to fit next to the trace");
    Cells cells;
    cells.columns = std::move(columns);
    const auto held = std::make_shared<const std::vector<Row>>(std::move(rows));
    cells.setSource({held->size(),
        [held, cellsOf = std::move(cellsOf)](std::size_t row) { return cellsOf((*held)[row]); },
        [held](std::size_t row) {
            if constexpr (std::is_same_v<Row, EventRef>)
                return (*held)[row];
            else
                return (*held)[row].event();
        }});
    return cells;
}

/// "NVIDIA H200 (0)": the GPU behind CUDA ordinal `device` of process `owner`, as nsys names it.
std::string deviceLabel(const Trace& trace, GlobalId owner, std::int32_t device);

/// "0x7F914E301000": an address or a GUID, as nsys prints them.
std::string upperHex(std::uint64_t number);

/// The events behind a row: `event` alone when they are wanted.
std::vector<EventRef> rowEvents(const StatsQuery& query, EventRef event);

Cell integerCell(std::int64_t value);
/// Bytes in units of 10^6.
Cell megabytesCell(std::uint64_t bytes);

} // namespace warpline
