#pragma once

#include "core/table/cells.h"

class QTableView;

namespace warpline {

/// Gives the room that the columns of `table`, which shows `cells`, leave to the widest one of text, and puts
/// that first. Names are what is cut off.
void giveRestToText(QTableView& table, const Cells& cells);

} // namespace warpline
