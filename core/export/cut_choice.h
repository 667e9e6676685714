#pragma once

#include "core/cut/cut_report.h"

namespace warpline {

class Trace;

/// How to cut `window` out of the report that `trace` is: it remembers the whole and when its GPUs worked. A
/// window that is empty, or holds the session: the whole session, which is no part.
CutOptions cutOf(const Trace& trace, TimeRange window, bool redact);

} // namespace warpline
