#pragma once

#include "core/rows/row_tree.h"

#include <QString>

namespace warpline {

class Trace;

/// The tooltip of `event` as rich text: its name, then the facts of tooltipOf().
QString eventTip(const Trace& trace, EventRef event);

/// The tooltip of a counter's row at `time`, with the precision `resolution` of a pixel; empty before the
/// first sample.
QString counterTip(const Trace& trace, const Row& row, Ns time, Ns resolution);

} // namespace warpline
