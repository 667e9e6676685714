#pragma once

class QTableView;

namespace warpline {

/// Makes each column of `table` as wide as its title and the texts of the first lines ask for, up to
/// `widest`; where room is left, columns that are cut off there share it.
void fitColumnsToRoom(QTableView& table, int widest);

} // namespace warpline
