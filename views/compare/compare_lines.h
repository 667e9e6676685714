#pragma once

#include "core/compare/comparison.h"
#include "views/models/cells_model.h"
#include "views/style/theme.h"

#include <QStringList>

#include <stop_token>
#include <vector>

namespace warpline {

// A comparison as lines of the panel's tables. Made off the GUI thread, because there may be many.

/// The maximum number of shown rows of a table; others changed least.
inline constexpr std::size_t maxCompareRows = 5000;

/// The tables of a comparison, for the panel.
struct CompareLines {
    struct Table {
        QStringList titles;
        /// CellsModel::Line::id: the place in the list of the Comparison.
        std::vector<CellsModel::Line> lines;
    };
    std::vector<Table> tables; ///< of Comparison::tables
    Table budget; ///< the last line is the sum
    Table facts;
    Table findings; ///< those that changed first
};

CompareLines compareLines(const Comparison& comparison, const std::stop_token& stop = {});

/// "+1.234 ms", "-12.3 us", "0 ns": a difference, lower is better.
QString differenceText(double ns);
/// The name of a row: of both sides, with an arrow where they differ.
QString compareName(const CompareRow& row);
/// The verdict in a few words: "B takes 26% less time". With CompareCaveat::Kernels it says so.
QString compareHeadline(const Comparison& comparison);
/// Its colour: that of good, of bad, or of text.
QColor verdictColor(const Comparison& comparison, const Theme& theme);

} // namespace warpline
