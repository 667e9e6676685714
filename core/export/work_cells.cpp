#include "core/export/work_cells.h"

#include <cmath>
#include <string>

namespace warpline {

std::vector<Column> workColumns()
{
    return {{"FLOPs", Unit::Count}, {"TFLOP/s", Unit::Rate}, {"TB/s", Unit::Rate},
        {"Roofline (%)", Unit::Percent}, {"Bound", Unit::Text}};
}

void appendWork(std::vector<Cell>& row, const KernelWork& work)
{
    const auto cellOf = [&](WorkColumn column, double unit) {
        const double value = work.of(column);
        return value < 0 ? Cell() : Cell(value / unit);
    };
    const double flops = work.of(WorkColumn::Flops);
    row.push_back(flops < 0 ? Cell() : Cell(static_cast<std::int64_t>(std::llround(std::min(9e18, flops)))));
    row.push_back(cellOf(WorkColumn::FlopRate, 1e12));
    row.push_back(cellOf(WorkColumn::ByteRate, 1e12));
    row.push_back(cellOf(WorkColumn::Roofline, 0.01));
    row.push_back(work.bound == RooflineBound::Unknown ? Cell() : Cell(std::string(keyOf(work.bound))));
}

} // namespace warpline
