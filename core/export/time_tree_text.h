#pragma once

#include "core/export/json_text.h"
#include "core/table/cells.h"
#include "core/timetree/time_tree_source.h"

#include <string>

namespace warpline {

/// A line for each stack: its frames from the outermost on with semicolons between, a blank, and what was
/// found in the innermost itself. What scripts that draw flame graphs read
/// (https://github.com/brendangregg/FlameGraph). Such scripts know frames by their text alone: functions of
/// one name in several files have the file behind it, as all have of a source that names files.
std::string foldedStacks(const Trace& trace, const TimeTreeSource& source, const TimeTree& tree);

/// {source, unit, range_ns, total, tree: {name, module, self, total, children}}; threads have pid and tid.
Json timeTreeJson(const Trace& trace, const TimeTreeSource& source, TimeRange window, const TimeTree& tree);

/// A row for each frame: share of the whole and amount, of its own and with what it called.
Cells flatCells(const Trace& trace, const TimeTreeSource& source, const TimeTree& tree);

} // namespace warpline
