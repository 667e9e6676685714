#pragma once

#include "core/workspace/workspace.h"

#include <vector>

namespace warpline {

/// The rows of the other reports that show what `row` shows of its own, `row` among them, in the order of the
/// reports: found level by level, by keys without their numbers (process, thread and stream ids differ from
/// rank to rank) and by the place among siblings of such a key. A report without such a row has none; a
/// heading's are the headings. Empty for the root, and for rows of all reports.
std::vector<RowId> sameRows(const Workspace& workspace, RowId row);

} // namespace warpline
