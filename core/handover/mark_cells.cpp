#include "core/handover/mark_cells.h"

namespace warpline {

Cells markCells(std::span<const Mark> marks)
{
    Cells cells;
    cells.columns = {{"text", Unit::Text}, {"start_ns", Unit::Integer}, {"end_ns", Unit::Integer},
        {"duration_ns", Unit::Integer}, {"color", Unit::Text}};
    for (const Mark& mark : marks)
        cells.addRow({mark.text, mark.range.start, mark.range.end, mark.range.duration(), mark.color});
    return cells;
}

} // namespace warpline
