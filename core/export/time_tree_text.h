#pragma once

#include "core/export/json_text.h"
#include "core/table/cells.h"
#include "core/timetree/time_tree_source.h"

#include <string>

namespace warpline {

/// One line per stack, for flame graph scripts (https://github.com/brendangregg/FlameGraph): its frames from
/// the outermost with semicolons between, a blank, and the innermost frame's own amount. Scripts distinguish
/// frames by text only: functions of equal name in several files get the file appended, as do all functions
/// of a source that names files.
std::string foldedStacks(const Trace& trace, const TimeTreeSource& source, const TimeTree& tree);

/// {source, unit, range_ns, total, tree: {name, module, self, total, children}}; threads have pid and tid.
Json timeTreeJson(const Trace& trace, const TimeTreeSource& source, TimeRange window, const TimeTree& tree);

/// One row per frame: share of the whole and amount, of its own and with callees.
Cells flatCells(const Trace& trace, const TimeTreeSource& source, const TimeTree& tree);

} // namespace warpline
