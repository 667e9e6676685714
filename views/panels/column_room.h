#pragma once

class QTableView;

namespace warpline {

/// Makes each column of `table` as wide as its title and the texts of the first lines, up to `widest`;
/// columns that are cut off share the remaining room.
void fitColumnsToRoom(QTableView& table, int widest);

} // namespace warpline
