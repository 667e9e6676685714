#pragma once

#include "core/handover/mark.h"
#include "core/table/cells.h"

namespace warpline {

/// The marks as a table: "text", "start_ns", "end_ns", "duration_ns", "color".
Cells markCells(std::span<const Mark> marks);

} // namespace warpline
