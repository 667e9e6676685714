#pragma once

#include "core/overview/overview.h"

#include <stop_token>
#include <string>

namespace warpline {

class TraceAnalysis;

/// "The GPU works for 7.3 ms (2.1%): 3.1 ms in kernels (1 launch), ..." by the parts of `overview`; empty: no
/// GPU works. Throws Stopped when `stop` is requested.
Message textOfWork(
    const RunOverview& overview, const Trace& trace, TraceAnalysis& facts, const std::stop_token& stop);

/// GPU work at the start of a recording that began in the middle of the run: "At the start the GPU works for
/// 13.74 ms, until 14.48 ms, on what was launched before the recording ..."; sets `where` to that time.
/// Empty: the recording contains all launches, or no calls are recorded. O(n) in the GPU work. Throws
/// Stopped.
Message textOfEarlierWork(
    const RunOverview& overview, const Trace& trace, TimeRange& where, const std::stop_token& stop);

/// Page migrations of unified memory after the last kernel or copy: ", meanwhile 24 migrations bring ...";
/// empty: there are none.
Message textOfPagesBack(const RunOverview& overview, const Trace& trace, const std::stop_token& stop);

} // namespace warpline
