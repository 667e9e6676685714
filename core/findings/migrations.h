#pragma once

#include "core/coverage/intervals.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

namespace warpline {

/// The time of `window` in which pages of unified memory of `process` move because of faults.
/// Throws Stopped when `stop` is requested.
Intervals migrationTime(
    const Trace& trace, GlobalId process, TimeRange window, const std::stop_token& stop = {});

} // namespace warpline
