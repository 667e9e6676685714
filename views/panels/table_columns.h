#pragma once

class QTableView;

namespace warpline {

/// Lets column `column` of `table` take the width that the others leave, now and whenever the table's width
/// changes; never less than it has been given.
void stretchColumn(QTableView& table, int column);

/// How every table of the panels looks and is chosen in: whole lines, their ends told apart by eliding in the
/// middle, sorted by a click on a title. Call it before a model is set: the lines come as the model gives
/// them until a title is clicked.
void styleTable(QTableView& table);

/// Makes each column as wide as its title and the texts of the first lines ask for, up to `widest`; none is
/// made narrower than it is unless `shrink`, so that figures that change under a drag do not make columns
/// jump.
void fitColumns(QTableView& table, int widest, bool shrink = false);

} // namespace warpline
