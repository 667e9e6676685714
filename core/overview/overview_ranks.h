#pragma once

#include "core/analysis/trace_analysis.h"
#include "core/overview/overview.h"

namespace warpline {

/// Which of several GPUs computes most and least: "Of 4 GPUs in use, rank 2 computes most (81.2% ...)";
/// empty: there is one GPU.
Message textOfRanks(const RunOverview& overview);
/// A hint that waiting needs the reports of all ranks, for a report whose only GPU communicates; else empty.
/// O(n) in the names of kernels. Throws Stopped.
Message textOfLoneRank(TraceAnalysis& facts, const Trace& trace, const std::stop_token& stop);

} // namespace warpline
