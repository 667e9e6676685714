#pragma once

#include "core/table/cells.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

/// A table of one of several reports.
struct CellsOfReport {
    std::string label; ///< of the report
    std::shared_ptr<const Cells> cells; ///< never null
};

/// The rows of all parts in order, with a first column "Report" for the label. The columns are those of the
/// first nonempty part; others are matched by title, and missing ones stay empty. Rows are made on access;
/// the parts are kept.
Cells joinCells(std::vector<CellsOfReport> parts);

/// Where a row of the joined table comes from.
struct PlaceInParts {
    std::size_t part = 0;
    std::size_t row = 0;
};
/// `row` is one of the joined table. O(parts).
PlaceInParts placeInParts(std::span<const CellsOfReport> parts, std::size_t row);

} // namespace warpline
