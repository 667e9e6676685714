#pragma once

#include <vector>

class QTableView;
class QWidget;

namespace warpline {

class Cells;

/// Lets column `column` of `table` take the width that the others leave, now and whenever the table's width
/// changes; never less than it has been given. A second call chooses another column; then call fitColumns().
void stretchColumn(QTableView& table, int column);

/// Widens `columns` of `table` to what their first lines need, up to `widest`, at the expense of column
/// `stretched` (see stretchColumn()) beyond its current width; columns that the user resizes stay. Call it
/// when the table has its model.
void widenColumns(QTableView& table, std::vector<int> columns, int stretched, int widest);

/// The width of a column of times on the timeline, in the font of `table`.
int widthOfInstants(const QWidget& table);

/// What all tables of the panels have in common: whole-line selection, no grid, Tab leaves them, lines of the
/// height of the text with `margins` (above and below it together, in pixels).
void stylePlainTable(QTableView& table, int margins = 6);

/// Common style of the panels' tables: whole-line selection, elided in the middle, numbers at their
/// end, texts that would look the same at their begin, sorted by clicks on titles. Call it before setting a
/// model: lines keep the model's order until a title is clicked.
void styleTable(QTableView& table);

/// Makes each column as wide as its title and the texts of the first lines, up to `widest`. Narrows columns
/// only with `shrink`, so that they do not jump during a drag. `widestFirst`: the limit of the first column,
/// when another one stretches it; 0: `widest`.
void fitColumns(QTableView& table, int widest, bool shrink = false, int widestFirst = 0);

/// Makes each column of `table` as wide as its title and the texts of the first lines, up to `widest`;
/// columns that are cut off share the remaining room. `widestLast`: the limit of the last column; 0:
/// `widest`.
void fitColumnsToRoom(QTableView& table, int widest, int widestLast = 0);

/// Moves the widest text column of `table`, which shows `cells`, to the front, and gives it the remaining
/// width: names are what gets cut off.
void giveRestToText(QTableView& table, const Cells& cells);

} // namespace warpline
