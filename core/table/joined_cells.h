#pragma once

#include "core/table/cells.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

/// A table as one of several reports has it.
struct CellsOfReport {
    std::string label; ///< of the report
    std::shared_ptr<const Cells> cells; ///< never null
};

/// The rows of all parts, one part after another, behind a first column "Report" with the label of theirs.
/// The columns are those of the first part that has some; those of others are matched by their titles, and
/// what they lack stays empty. Rows are made when they are asked for; the parts are kept.
Cells joinCells(std::vector<CellsOfReport> parts);

/// Where a row of the joined table comes from.
struct PlaceInParts {
    std::size_t part = 0;
    std::size_t row = 0;
};
/// `row` is one of the joined table. O(parts).
PlaceInParts placeInParts(std::span<const CellsOfReport> parts, std::size_t row);

} // namespace warpline
