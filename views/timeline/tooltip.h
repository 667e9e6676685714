#pragma once

#include "core/rows/row_tree.h"

#include <QString>

namespace warpline {

class Trace;

/// What the tip over `event` says, as rich text: its name, then the facts that tooltipOf() chooses for its
/// kind.
QString eventTip(const Trace& trace, EventRef event);

/// What the tip over a counter's row says of `time`, which a pixel tells to `resolution`; empty before the
/// first sample.
QString counterTip(const Trace& trace, const Row& row, Ns time, Ns resolution);

} // namespace warpline
