#pragma once

#include <vector>

class QTableView;

namespace warpline {

/// Lets column `column` of `table` take the width that the others leave, now and whenever the table's width
/// changes; never less than it has been given.
void stretchColumn(QTableView& table, int column);

/// Gives `columns` of `table` the width that their first lines ask for, up to `widest`, of what column
/// `stretched` (see stretchColumn()) has beyond the width that it has now; those that the user drags stay.
/// Call it when the table has its model.
void widenColumns(QTableView& table, std::vector<int> columns, int stretched, int widest);

/// How every table of the panels looks and is chosen in: whole lines, their ends told apart by eliding in the
/// middle, sorted by a click on a title. Call it before a model is set: the lines come as the model gives
/// them until a title is clicked.
void styleTable(QTableView& table);

/// Makes each column as wide as its title and the texts of the first lines ask for, up to `widest`; none is
/// made narrower than it is unless `shrink`, so that figures that change under a drag do not make columns
/// jump. `widestFirst`: the bound of the first column, where another one stretches it; 0: `widest`.
void fitColumns(QTableView& table, int widest, bool shrink = false, int widestFirst = 0);

} // namespace warpline
