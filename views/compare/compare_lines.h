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

/// Of the columns of `table`, a table of rows.
QStringList compareRowTitles(const CompareTable& table, CompareUnit unit);
QStringList compareBudgetTitles();
QStringList compareFactTitles();
QStringList compareFindingTitles();

struct CompareLines {
    using Lines = std::vector<CellsModel::Line>;
    std::vector<Lines> tables; ///< of Comparison::tables; CellsModel::Line::id is the place in its rows
    Lines budget; ///< id: the place in Comparison::budget; the last line is the sum
    Lines facts; ///< id: the place in Comparison::facts
    Lines findings; ///< those that changed first; id: the place in Comparison::findings
};

CompareLines compareLines(const Comparison& comparison, const std::stop_token& stop = {});

/// "+1.234 ms", "-12.3 us", "0 ns": a difference, lower is better.
QString differenceText(double ns);
/// The text for a change: "slower", "new", "more calls".
QString changeText(RowChange change);
/// The text for a state: "gone", "grown".
QString stateText(FindingState state);
/// The name of a row: of both sides, with an arrow where they differ.
QString compareName(const CompareRow& row);
/// The verdict in a few words: "B is 26% faster".
QString compareHeadline(const Comparison& comparison);
/// Its colour: that of good, of bad, or of text.
QColor verdictColor(const Comparison& comparison, const Theme& theme);

} // namespace warpline
