#pragma once

#include "core/table/cells.h"

class QTableView;

namespace warpline {

/// Moves the widest text column of `table`, which shows `cells`, to the front, and gives it the remaining
/// width: names are what gets cut off.
void giveRestToText(QTableView& table, const Cells& cells);

} // namespace warpline
