#include "core/table/joined_cells.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// For each of `wanted` the column of `cells` with its title; `none` where there is none.
std::vector<std::size_t> columnsLike(const std::vector<Column>& wanted, const Cells& cells)
{
    std::vector<std::size_t> places;
    for (const Column& column : wanted) {
        const auto found = std::ranges::find(cells.columns, column.title, &Column::title);
        places.push_back(
            found == cells.columns.end() ? none : static_cast<std::size_t>(found - cells.columns.begin()));
    }
    return places;
}

struct Joined {
    std::vector<CellsOfReport> parts;
    std::vector<std::vector<std::size_t>> columns; ///< by part: index of each joined column

    std::vector<Cell> row(std::size_t row) const
    {
        const auto [part, own] = placeInParts(parts, row);
        std::vector<Cell> cells = parts[part].cells->row(own);
        std::vector<Cell> made{parts[part].label};
        for (const std::size_t column : columns[part])
            made.push_back(column == none ? Cell() : std::move(cells[column]));
        return made;
    }
    EventRef event(std::size_t row) const
    {
        const auto [part, own] = placeInParts(parts, row);
        const std::vector<EventRef> events = parts[part].cells->events(own);
        return events.empty() ? EventRef() : events.front();
    }
};

} // namespace

Cells joinCells(std::vector<CellsOfReport> parts)
{
    auto joined = std::make_shared<Joined>();
    joined->parts = std::move(parts);
    std::vector<Column> columns;
    std::size_t rows = 0;
    for (const CellsOfReport& part : joined->parts) {
        if (columns.empty())
            columns = part.cells->columns;
        rows += part.cells->rowCount();
    }
    for (const CellsOfReport& part : joined->parts)
        joined->columns.push_back(columnsLike(columns, *part.cells));
    Cells all;
    all.columns.push_back({"Report", Unit::Text});
    all.columns.insert(all.columns.end(), columns.begin(), columns.end());
    all.setSource({rows, [joined](std::size_t row) { return joined->row(row); },
        [joined](std::size_t row) { return joined->event(row); }});
    return all;
}

PlaceInParts placeInParts(std::span<const CellsOfReport> parts, std::size_t row)
{
    PlaceInParts place{0, row};
    while (place.part + 1 < parts.size() && place.row >= parts[place.part].cells->rowCount()) {
        place.row -= parts[place.part].cells->rowCount();
        ++place.part;
    }
    return place;
}

} // namespace warpline
