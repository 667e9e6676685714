#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/overview/overview.h"

#include <stop_token>

namespace warpline {

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

/// Which of several GPUs computes most and least: "Of 4 GPUs in use, rank 2 computes most (81.2% ...)";
/// empty: there is one GPU.
Message textOfRanks(const RunOverview& overview);
/// A hint that waiting needs the reports of all ranks, for a report whose only GPU communicates; else empty.
/// O(n) in the names of kernels. Throws Stopped.
Message textOfLoneRank(TraceAnalysis& facts, const Trace& trace, const std::stop_token& stop);

/// The share of elementwise kernels (arithmetic, activations, copies and casts, one launch per operation) in
/// the kernels' time of `window`, and the potential saving of fusing them. Neighbours on a stream within one
/// step become one kernel, which takes at least as long as the shortest of them. Empty: they take less than a
/// fifth of that time or a fiftieth of `window`, are few, or none is recognized by isElementwise(). Kernels
/// that communicate do not count. O(kernels in `window` times log of the steps + text of their names). Throws
/// Stopped when `stop` is requested.
Message textOfElementwise(
    const Trace& trace, TraceAnalysis& facts, TimeRange window, const std::stop_token& stop);

} // namespace warpline
