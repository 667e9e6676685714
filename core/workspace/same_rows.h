#pragma once

#include "core/workspace/workspace.h"

#include <vector>

namespace warpline {

/// The rows of all reports that correspond to `row`, including itself, in the order of the reports: found
/// level by level, by keys without numbers (process, thread and stream ids differ between ranks) and by the
/// place among siblings of such a key. Reports without such a row are skipped; a heading's are the headings.
/// Empty for the root, and for rows of all reports.
std::vector<RowId> sameRows(const Workspace& workspace, RowId row);

} // namespace warpline
